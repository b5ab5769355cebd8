import type { Delivery } from '@account-import/core'
import type MimeNode from 'nodemailer/lib/mime-node'
import SMTPPool from 'nodemailer/lib/smtp-pool'
import { deliveryOfConnectionError, deliveryOfMessageError, type SmtpError } from './delivery-of-error.js'
import type { SmtpServer } from './smtp-server.js'

export type Envelope = Readonly<{ from: string; to: string }>

/** Connections to a server, greeted and logged in, that are kept for a few seconds for the next messages. */
export type SmtpConnections = Readonly<{
  /** Hands a message over, once; never rejects. When the signal is aborted it ends at once. */
  send(envelope: Envelope, message: MimeNode, signal: AbortSignal): Promise<Delivery>
  /** Ends those that are idle. */
  close(): void
}>

/** Servers end connections that are idle for minutes, or that bring too many messages. */
const idleTimeout = 5000
const maxMessages = 100

const optionsOf = ({ host, port, tls, authorities, credentials }: SmtpServer, milliseconds: number) => ({
  host,
  port,
  secure: tls === 'implicit',
  requireTLS: tls === 'required',
  ignoreTLS: tls === 'off',
  ...(credentials !== undefined && {
    auth: { user: credentials.user, pass: credentials.password },
    // Log in even if the server does not offer it: without a login nothing is to be sent.
    forceAuth: true,
  }),
  connectionTimeout: milliseconds,
  greetingTimeout: milliseconds,
  socketTimeout: milliseconds,
  dnsTimeout: milliseconds,
  socketCloseTimeout: 1000,
  maxResponseSize: 64 * 1024,
  tls: { rejectUnauthorized: true, ...(authorities !== undefined && { ca: authorities }) },
  logger: false as const,
  // The relay limits how many messages are sent at a time.
  maxConnections: Infinity,
  maxMessages,
  idleTimeout,
  // Only a message of which not a byte was sent goes out over a second connection.
  maxRequeues: 1,
})

type Queued = Parameters<SMTPPool['send']>[0]
const handOver = (pool: SMTPPool, message: MimeNode, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    // The pool uses only these two parts of a message.
    pool.send({ data: { signal }, message } as Queued, (error) => (error ? reject(error) : resolve()))
  })

export const smtpConnections = (server: SmtpServer, milliseconds: number): SmtpConnections => {
  const pool = new SMTPPool(optionsOf(server, milliseconds))
  return {
    send: async ({ from, to }, message, signal) => {
      // The pool asks for the envelope once it has a connection that is logged in. A fault before that has nothing to do
      // with the message; a later one may be caused by it.
      let hadConnection = false
      message.getEnvelope = () => {
        hadConnection = true
        return { from, to: [to] }
      }
      try {
        await handOver(pool, message, signal)
        return { _tag: 'accepted' }
      } catch (cause) {
        return hadConnection
          ? deliveryOfMessageError(cause as SmtpError)
          : deliveryOfConnectionError(cause as SmtpError)
      }
    },
    close: () => pool.close(),
  }
}

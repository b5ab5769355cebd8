import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { closedBy } from './closed-by.js'
import type { SmtpError } from './smtp-fault.js'
import type { SmtpServer } from './smtp-server.js'

export type Envelope = Readonly<{ from: string; to: readonly string[] }>

/** Of the addresses of an envelope, those that the server did not take, and why. */
export type Accepted = Readonly<{ rejected: readonly Readonly<{ address: string; permanent: boolean }>[] }>

/** One connection to a server, greeted and logged in. Every operation rejects with an `SmtpError`. */
export type SmtpSession = Readonly<{
  /** Rejects when the connection is gone. */
  reset(): Promise<void>
  send(envelope: Envelope, message: Buffer): Promise<Accepted>
  /** Ends it politely; never rejects. */
  quit(): void
  /** Ends it at once: what runs rejects. */
  close(): void
}>

const optionsOf = ({ host, port, tls, authorities }: SmtpServer, milliseconds: number) => ({
  host,
  port,
  secure: tls === 'implicit',
  requireTLS: tls === 'required',
  ignoreTLS: tls === 'off',
  connectionTimeout: milliseconds,
  greetingTimeout: milliseconds,
  socketTimeout: milliseconds,
  dnsTimeout: milliseconds,
  socketCloseTimeout: 1000,
  maxResponseSize: 64 * 1024,
  tls: { rejectUnauthorized: true, ...(authorities !== undefined && { ca: authorities }) },
  logger: false,
})

type Done<A> = (error: Error | null | undefined, result?: A) => void

/**
 * Runs an operation on the connection. Its callback may never come when the connection ends meanwhile, so an error
 * or the end of the connection is an answer too.
 */
const operation = <A>(connection: SMTPConnection, start: (done: Done<A>) => void): Promise<A | undefined> =>
  new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      connection.off('error', onError)
      connection.off('end', onEnd)
      settle()
    }
    const onError = (error: Error): void => end(() => reject(error))
    const onEnd = (): void =>
      onError(Object.assign(new Error('the connection ended'), { code: 'ECONNECTION', command: 'CONN' }))
    connection.on('error', onError)
    connection.on('end', onEnd)
    start((error, result) => end(() => (error ? reject(error) : resolve(result))))
  })

const send = async (
  connection: SMTPConnection,
  { from, to }: Envelope,
  message: Buffer,
): Promise<Accepted> => {
  const envelope = { from, to: [...to], size: message.length }
  const info = await operation<SMTPConnection.SentMessageInfo>(connection, (done) =>
    connection.send(envelope, message, done),
  )
  return {
    rejected: (info?.rejectedErrors ?? []).map(({ recipient = '', permanent = false }) => ({
      address: recipient,
      permanent,
    })),
  }
}

const sessionOn = (connection: SMTPConnection): SmtpSession => ({
  reset: async () => {
    await operation(connection, (done) => connection.reset(done))
  },
  send: (envelope, message) => send(connection, envelope, message),
  quit: () => connection.quit(),
  close: () => connection.close(),
})

/** Connects and logs in; ends at once when the signal is aborted. Rejects with an `SmtpError`. */
export const openSmtpSession = async (
  server: SmtpServer,
  milliseconds: number,
  signal: AbortSignal,
): Promise<SmtpSession> => {
  const connection = new SMTPConnection(optionsOf(server, milliseconds))
  // An idle connection that ends is noticed when it is used next.
  connection.on('error', () => undefined)
  const begin = async (): Promise<SmtpSession> => {
    await operation(connection, (done) => connection.connect(done))
    const { credentials } = server
    if (credentials !== undefined)
      await operation(connection, (done) =>
        connection.login({ user: credentials.user, pass: credentials.password }, done),
      )
    return sessionOn(connection)
  }
  try {
    return await closedBy(signal, () => connection.close(), begin)
  } catch (cause) {
    connection.close()
    throw cause as SmtpError
  }
}

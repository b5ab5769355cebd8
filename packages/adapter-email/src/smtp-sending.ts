import type { Delivery, DeliveryCode, MigrationNotice } from '@account-import/core'
import { safeForMail } from '@account-import/core/adapter-kit'
import MailComposer from 'nodemailer/lib/mail-composer'
import type MimeNode from 'nodemailer/lib/mime-node'
import SMTPPool from 'nodemailer/lib/smtp-pool'
import {
  asciiAddress,
  type MailSender,
  messageIdOf,
  type SmtpCustomerNotifierOptions,
  type SmtpServer,
} from './smtp-options.js'
import { bundledTemplates, type EmailTemplates, templateFor } from './templates/bundled-templates.js'
import type { TemplateValues } from './templates/email-template.js'

/** The properties of nodemailer's errors. */
export type SmtpError = Error &
  Readonly<{
    code?: string
    command?: string
    responseCode?: number
    permanent?: boolean
    originalCode?: string
  }>

const unavailable = (code: DeliveryCode): Delivery => ({ _tag: 'unavailable', code })
const deferred = (code: DeliveryCode): Delivery => ({ _tag: 'deferred', code })
const refused = (code: DeliveryCode): Delivery => ({ _tag: 'refused', code })

const connectionCodes: Readonly<Record<string, DeliveryCode>> = {
  ETIMEDOUT: 'timed_out',
  ETLS: 'tls_failed',
  EAUTH: 'auth_failed',
  ENOAUTH: 'auth_failed',
}

/** Codes of Node's TLS, which come as errors of the socket where TLS is spoken from the first byte. */
const isTls = (code = ''): boolean => /CERT|ERR_TLS|ERR_SSL|UNABLE_TO|SELF_SIGNED|EPROTO/.test(code)

/** No connection came about: whatever the message was, it was not the reason. */
const deliveryOfConnectionError = ({ code = '', originalCode, responseCode }: SmtpError): Delivery => {
  const known = connectionCodes[code]
  if (known !== undefined) return unavailable(known)
  if (isTls(originalCode)) return unavailable('tls_failed')
  return unavailable(responseCode === undefined ? 'unreachable' : 'server_busy')
}

/** Replies that ask for credentials: the set-up is wrong, not the recipient. */
const wantsAuth = new Set([530, 534, 535, 538])

/** The message was not taken over. A sender that is refused is refused for every message. */
const deliveryOfMessageError = (error: SmtpError): Delivery => {
  const { command, responseCode, permanent } = error
  if (responseCode === undefined)
    return deferred(error.code === 'ETIMEDOUT' ? 'timed_out' : 'connection_lost')
  if (wantsAuth.has(responseCode)) return unavailable('auth_failed')
  if (command === 'MAIL FROM') return unavailable(permanent === true ? 'sender_refused' : 'server_busy')
  if (command === 'RCPT TO')
    return permanent === true ? refused('recipient_refused') : deferred('recipient_deferred')
  return permanent === true ? refused('message_refused') : deferred('message_deferred')
}

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

const smtpConnections = (server: SmtpServer, milliseconds: number): SmtpConnections => {
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

export type ComposeOptions = Readonly<{ from: MailSender; templates: EmailTemplates; timeZone: string }>

const valuesOf = (
  notice: MigrationNotice,
  language: string,
  { from, timeZone }: Omit<ComposeOptions, 'templates'>,
): TemplateValues => ({
  name: notice.recipient.name,
  platform_account_number: safeForMail(notice.platformAccountNumber),
  external_account_number: safeForMail(notice.externalAccountNumber),
  import_supplier: safeForMail(notice.importSupplier),
  created_on: safeForMail(
    new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }).format(new Date(notice.createdAt)),
  ),
  sender: safeForMail(from.name),
})

/** The whole message, in the notice's language or, without a template for it, in English. */
const compose = (notice: MigrationNotice, { templates, ...options }: ComposeOptions): MimeNode => {
  const { from } = options
  const { language, fill } = templateFor(templates, notice.language)
  return new MailComposer({
    from: { name: from.name, address: asciiAddress(from.address) },
    to: { name: '', address: asciiAddress(notice.recipient.address) },
    messageId: messageIdOf(notice.id, from),
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
    ...fill(valuesOf(notice, language, options)),
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile()
}

/** Composes and hands over; with nodemailer, which takes long to load: this file is loaded by the first notice. */
export type SmtpSending = Readonly<{
  send(notice: MigrationNotice, ended: AbortSignal): Promise<Delivery>
  close(): void
}>

export const smtpSending = ({
  server,
  from,
  timeZone,
  milliseconds,
  templates = bundledTemplates,
}: SmtpCustomerNotifierOptions): SmtpSending => {
  const connections = smtpConnections(server, milliseconds)
  return {
    send: (notice, ended) => {
      const envelope = { from: asciiAddress(from.address), to: asciiAddress(notice.recipient.address) }
      return connections.send(envelope, compose(notice, { from, timeZone, templates }), ended)
    },
    close: connections.close,
  }
}

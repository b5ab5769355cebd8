import { domainToASCII } from 'node:url'
import type { Delivery, DeliveryCode, MigrationNotice } from '@account-import/core'
import { safeForMail } from '@account-import/core/html'
import MailComposer from 'nodemailer/lib/mail-composer'
import type MimeNode from 'nodemailer/lib/mime-node'
import SMTPPool from 'nodemailer/lib/smtp-pool'
import {
  bundledTemplates,
  type EmailTemplates,
  templateFor,
  type TemplateValues,
} from './templates/templates.js'

/** The server that accepts the e-mails. */
export type SmtpServer = Readonly<{
  host: string
  port: number
  /**
   * `implicit`: TLS from the first byte; `required`: STARTTLS, or nothing is sent; `off`: plain text. Certificates are
   * always verified.
   */
  tls: 'implicit' | 'required' | 'off'
  credentials: Readonly<{ user: string; password: string }> | undefined
  /** PEM of authorities to trust in place of the bundled ones. */
  authorities?: string
}>

/** The sender of the e-mails. */
export type MailSender = Readonly<{ name: string; address: string }>

export type SmtpCustomerNotifierOptions = Readonly<{
  server: SmtpServer
  from: MailSender
  /** The bundled ones when absent. */
  templates?: EmailTemplates
  /** IANA name: decides on which day an account was created. */
  timeZone: string
  /** The time limit of one whole e-mail. */
  milliseconds: number
}>

/** The properties of nodemailer's errors. */
type SmtpError = Error &
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

/** Codes of Node's TLS, which are errors of the socket where TLS begins with the first byte. */
const isTls = (code = ''): boolean => /CERT|ERR_TLS|ERR_SSL|UNABLE_TO|SELF_SIGNED|EPROTO/.test(code)

/** There was no usable connection, so the message is not the cause. */
const deliveryOfConnectionError = ({ code = '', originalCode, responseCode }: SmtpError): Delivery => {
  const known = connectionCodes[code]
  if (known !== undefined) return unavailable(known)
  if (isTls(originalCode)) return unavailable('tls_failed')
  return unavailable(responseCode === undefined ? 'unreachable' : 'server_busy')
}

/** Replies that require credentials: the configuration is wrong, not the recipient. */
const requiresAuth = new Set([530, 534, 535, 538])

/** The server did not accept the message. A refused sender is refused for every message. */
const deliveryOfMessageError = (error: SmtpError): Delivery => {
  const { command, responseCode, permanent } = error
  if (responseCode === undefined)
    return deferred(error.code === 'ETIMEDOUT' ? 'timed_out' : 'connection_lost')
  if (requiresAuth.has(responseCode)) return unavailable('auth_failed')
  if (command === 'MAIL FROM') return unavailable(permanent === true ? 'sender_refused' : 'server_busy')
  if (command === 'RCPT TO')
    return permanent === true ? refused('recipient_refused') : deferred('recipient_deferred')
  return permanent === true ? refused('message_refused') : deferred('message_deferred')
}

/** Servers close connections that are idle for minutes, or that send too many messages. */
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
    // Log in even if the server does not offer it: nothing is sent without a login.
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
  // The relay limits the number of messages at a time.
  maxConnections: Infinity,
  maxMessages,
  idleTimeout,
  // Only a message of which no byte was sent is sent again on a second connection.
  maxRequeues: 1,
})

type Queued = Parameters<SMTPPool['send']>[0]
const sendOn = (pool: SMTPPool, message: MimeNode, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    // The pool uses only these two parts of a message.
    pool.send({ data: { signal }, message } as Queued, (error) => (error ? reject(error) : resolve()))
  })

/** The address with its domain in ASCII, which every server accepts. */
const asciiAddress = (address: string): string => {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`
}

/** `<id@domain of the sender>`: equal for equal ids, at every try and on every server. */
const messageIdOf = (id: string, { address }: MailSender): string => {
  const ascii = asciiAddress(address)
  return `<${id}${ascii.slice(ascii.lastIndexOf('@'))}>`
}

type ComposeOptions = Readonly<{ from: MailSender; templates: EmailTemplates; timeZone: string }>

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

/** The whole message, in the notice's language or, where there is no template for it, in English. */
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

/**
 * Composes and sends with nodemailer, which takes long to load: the first notice loads this file. Connections are logged in, and
 * kept for a few seconds for the next messages.
 */
export const smtpSending = ({
  server,
  from,
  timeZone,
  milliseconds,
  templates = bundledTemplates,
}: SmtpCustomerNotifierOptions) => {
  const pool = new SMTPPool(optionsOf(server, milliseconds))
  return {
    /** Sends once; ends at once when the signal is aborted. */
    send: async (notice: MigrationNotice, ended: AbortSignal): Promise<Delivery> => {
      const message = compose(notice, { from, timeZone, templates })
      // The pool reads the envelope once it has a connection that is logged in. An earlier error has nothing to do with the
      // message; the message may cause a later one.
      let hadConnection = false
      message.getEnvelope = () => {
        hadConnection = true
        return { from: asciiAddress(from.address), to: [asciiAddress(notice.recipient.address)] }
      }
      try {
        await sendOn(pool, message, ended)
        return { _tag: 'accepted' }
      } catch (cause) {
        return hadConnection
          ? deliveryOfMessageError(cause as SmtpError)
          : deliveryOfConnectionError(cause as SmtpError)
      }
    },
    /** Closes idle connections. */
    close: (): void => pool.close(),
  }
}

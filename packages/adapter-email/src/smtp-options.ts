import { domainToASCII } from 'node:url'
import { isEmail } from '@account-import/core/adapter-kit'
import type { EmailTemplates } from './templates/bundled-templates.js'

/** Where e-mails are handed over. */
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

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const form = /^(?:"?([^"<>\u0000-\u001f\u007f]*?)"? *<([^<>]+)>|([^<>\s]+))$/

/** Reads `Name <address>` or an address; `undefined` when it is neither, or the address is none. */
export const parseMailSender = (text: string): MailSender | undefined => {
  const [, name = '', bracketed, alone] = form.exec(text.trim()) ?? []
  const address = bracketed ?? alone
  return address !== undefined && isEmail(address) ? { name: name.trim(), address } : undefined
}

/** The same address with its domain in ASCII, as every server takes it. */
export const asciiAddress = (address: string): string => {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`
}

/** `<id@domain of the sender>`: the same for the same id, whenever and by whomever it is sent. */
export const messageIdOf = (id: string, { address }: MailSender): string => {
  const ascii = asciiAddress(address)
  return `<${id}${ascii.slice(ascii.lastIndexOf('@'))}>`
}

export type SmtpCustomerNotifierOptions = Readonly<{
  server: SmtpServer
  from: MailSender
  /** The bundled ones when absent. */
  templates?: EmailTemplates
  /** IANA name: which day an account was created on. */
  timeZone: string
  /** The time limit of one e-mail altogether. */
  milliseconds: number
}>

import { isEmail } from '@account-import/core/adapter-kit'
import { domainToASCII } from 'node:url'

/** Who the e-mails are from. */
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

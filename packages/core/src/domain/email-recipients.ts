import type { AccountDetails, Customer } from './account-details.js'

/** What an e-mail needs of a customer. */
export type Contact = Pick<Customer, 'account_roles' | 'given_name' | 'email'>

/** `name`: absent also where it is none to greet somebody by. */
export type EmailRecipient = Readonly<{ address: string; name: string | undefined }>

/** Whoever gives an account hundreds of holders does not make the service send hundreds of e-mails. */
const mostRecipients = 20

/**
 * What a mail program makes a link of: an address of the web, of e-mail or of a machine, with or without its scheme. One letter
 * before the dot is an initial (`J.Smith`, `M.Carmen`), unless a path or port follows, or an ending that no name has.
 */
const link = new RegExp(
  [
    String.raw`:\/\/|www\.|@`,
    String.raw`[\p{L}\p{N}-]{2,}\.\p{L}{2,}`,
    String.raw`[\p{L}\p{N}]\.\p{L}[\p{L}\p{N}-]+(?:[/?#]|:\d)`,
    String.raw`[\p{L}\p{N}]\.(?:app|biz|co|com|dev|info|io|me|net|org|xyz)(?![\p{L}\p{N}])`,
    String.raw`(?:\d{1,3}\.){3}\d`,
  ].join('|'),
  'iu',
)

/** What programs do not show, and full-width letters that they show as plain ones, must not hide a link. */
const holdsLink = (name: string): boolean => link.test(name.normalize('NFKC').replaceAll(/\p{Cf}/gu, ''))

/**
 * Who gets the e-mail of an account: the first 20 of its holders that have an address, in payload order, each address once
 * (case ignored). The same customers always give the same list. A name that could become a link is left out: customers
 * choose their names, and our e-mails must not carry anybody's message.
 */
export const emailRecipients = (customers: readonly Contact[]): readonly EmailRecipient[] => {
  const byAddress = new Map<string, EmailRecipient>()
  for (const { account_roles, given_name: name, email } of customers) {
    if (byAddress.size === mostRecipients) break
    if (email === undefined || !account_roles.includes('ACCOUNT_HOLDER')) continue
    const same = email.toLowerCase()
    if (byAddress.has(same)) continue
    byAddress.set(same, { address: email, name: name === undefined || holdsLink(name) ? undefined : name })
  }
  return [...byAddress.values()]
}

/** Whether the account's customers are to be written to: not those who asked for letters. */
export const wantsEmail = ({ communication_preference, customers }: AccountDetails): boolean =>
  communication_preference !== 'PRINT' && emailRecipients(customers).length > 0

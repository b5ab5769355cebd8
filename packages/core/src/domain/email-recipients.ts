import { safeForMail, type SafeForMail } from '../values/safe-for-mail.js'
import type { AccountDetails, Customer } from './account-details.js'

/** What an e-mail needs of a customer. */
export type Contact = Pick<Customer, 'account_roles' | 'given_name' | 'email'>

/** `name`: absent also where it is none to greet somebody by. */
export type EmailRecipient = Readonly<{ address: string; name: SafeForMail | undefined }>

/** Whoever gives an account hundreds of holders does not make the service send hundreds of e-mails. */
const mostRecipients = 20

/**
 * Who gets the e-mail of an account: the first 20 of its holders that have an address, in payload order, each address once
 * (case ignored). The same customers always give the same list. A name that is not safe in an e-mail is left out.
 */
export const emailRecipients = (customers: readonly Contact[]): readonly EmailRecipient[] => {
  const byAddress = new Map<string, EmailRecipient>()
  for (const { account_roles, given_name: name, email } of customers) {
    if (byAddress.size === mostRecipients) break
    if (email === undefined || !account_roles.includes('ACCOUNT_HOLDER')) continue
    const same = email.toLowerCase()
    if (byAddress.has(same)) continue
    byAddress.set(same, { address: email, name: name === undefined ? undefined : safeForMail(name) })
  }
  return [...byAddress.values()]
}

/** Whether the account's customers are to be written to: not those who asked for letters. */
export const wantsEmail = ({ communication_preference, customers }: AccountDetails): boolean =>
  communication_preference !== 'PRINT' && emailRecipients(customers).length > 0

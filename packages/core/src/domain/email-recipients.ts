import type { AccountDetails, Customer } from './account-details.js'

/** What an e-mail needs of a customer. */
export type Contact = Pick<Customer, 'account_roles' | 'given_name' | 'email'>

export type EmailRecipient = Readonly<{ address: string; name: string | undefined }>

/**
 * Who gets the e-mail of an account: its holders that have an address, in payload order, each address once (case
 * ignored). The same customers always give the same list.
 */
export const emailRecipients = (customers: readonly Contact[]): readonly EmailRecipient[] => {
  const byAddress = new Map<string, EmailRecipient>()
  for (const { account_roles, given_name, email } of customers) {
    if (email === undefined || !account_roles.includes('ACCOUNT_HOLDER')) continue
    const same = email.toLowerCase()
    if (!byAddress.has(same)) byAddress.set(same, { address: email, name: given_name })
  }
  return [...byAddress.values()]
}

/** Whether the account's customers are to be written to: not those who asked for letters. */
export const wantsEmail = ({ communication_preference, customers }: AccountDetails): boolean =>
  communication_preference !== 'PRINT' && emailRecipients(customers).length > 0

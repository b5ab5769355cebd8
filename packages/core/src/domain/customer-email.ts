import type { SupplierSettings } from '../settings/supplier-settings.js'
import type { Instant } from '../values/instant.js'
import { safeForMail, type SafeForMail } from '../values/html.js'
import type { AccountDetails, Customer } from './account-details.js'
import type { AccountKey, FailedAttempt } from './account-import.js'

/** Countries by the language that most people read there; English for other countries. */
const countriesOf = {
  ca: ['AD'],
  de: ['AT', 'CH', 'DE'],
  es: ['AR', 'CL', 'CO', 'CR', 'EC', 'ES', 'GT', 'MX', 'PA', 'PE', 'PY', 'UY', 'VE'],
  fr: ['FR', 'LU', 'MC'],
  it: ['IT', 'SM'],
  pt: ['BR', 'PT'],
}

const byCountry = new Map(
  Object.entries(countriesOf).flatMap(([language, countries]) =>
    countries.map((country) => [country, language] as const),
  ),
)

/**
 * The language of an account's e-mail: the supplier's setting, else the language of the country of the first supply address,
 * else of the service's default country.
 */
export const emailLanguage = (
  { emailLanguage: chosen }: Pick<SupplierSettings, 'emailLanguage'>,
  { supply_addresses }: Pick<AccountDetails, 'supply_addresses'>,
  defaultCountry: string,
): string => chosen ?? byCountry.get(supply_addresses[0]?.supply_address.country ?? defaultCountry) ?? 'en'

/**
 * The state of an e-mail. `sending`: the relay with the token has the lease; `parked`: not retried until an operator
 * requests it; `sent`: the channel accepted it for every recipient that it did not refuse.
 */
export type EmailState =
  | Readonly<{ _tag: 'waiting'; dueAt: Instant }>
  | Readonly<{ _tag: 'sending'; token: string; leaseEndsAt: Instant }>
  | Readonly<{ _tag: 'parked'; at: Instant }>
  | Readonly<{ _tag: 'sent'; at: Instant }>

/**
 * The e-mail that informs the customers of one account of its migration, as one message for each; an account has at most one
 * e-mail. It contains no address and no name: these are read from the account when it is sent.
 */
export type CustomerEmail = Readonly<{
  /** Random letters and digits; Message-IDs are made of it, so that a repeated message has the same. */
  id: string
  key: AccountKey
  platformAccountNumber: string
  /** ISO 639 code in lower case, such as `es`. */
  language: string
  enqueuedAt: Instant
  /** Failed deliveries; failures of the whole channel do not count. */
  attempts: number
  /** Indexes in `emailRecipients` of recipients that need no message: delivered, or refused permanently; ascending. */
  served: readonly number[]
  latestFailure: FailedAttempt | undefined
  state: EmailState
}>

/** The fields of a customer that an e-mail needs. */
export type Contact = Pick<Customer, 'account_roles' | 'given_name' | 'email'>

/** Selects the fields that an e-mail needs. */
export const contactsOf = (customers: readonly Customer[]): readonly Contact[] =>
  customers.map(({ account_roles, given_name, email }) => ({
    account_roles,
    ...(given_name !== undefined && { given_name }),
    ...(email !== undefined && { email }),
  }))

/** `name`: undefined also if it is not safe in an e-mail. */
export type EmailRecipient = Readonly<{ address: string; name: SafeForMail | undefined }>

/** Bounds the e-mails that an account with hundreds of holders makes the service send. */
const mostRecipients = 20

/**
 * The recipients of an account's e-mail: the first 20 of its holders that have an address, in payload order, each address once
 * (case ignored). The list depends on the customers alone. A name that is not safe in an e-mail is left out.
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

/** Whether the account's customers get an e-mail: not if their preference is print. */
export const wantsEmail = ({ communication_preference, customers }: AccountDetails): boolean =>
  communication_preference !== 'PRINT' && emailRecipients(customers).length > 0

import type { SupplierSettings } from '../settings/supplier-settings.js'
import type { Instant } from '../values/instant.js'
import { safeForMail, type SafeForMail } from '../values/html.js'
import type { AccountDetails, Customer } from './account-details.js'
import type { AccountKey, FailedAttempt } from './account-import.js'

/** Countries by the language that most of their people read; English for those that are not listed. */
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
 * The language of an account's e-mail: the supplier's setting, else that of the country of the first supply address,
 * else that of the service's default country.
 */
export const emailLanguage = (
  { emailLanguage: chosen }: Pick<SupplierSettings, 'emailLanguage'>,
  { supply_addresses }: Pick<AccountDetails, 'supply_addresses'>,
  defaultCountry: string,
): string => chosen ?? byCountry.get(supply_addresses[0]?.supply_address.country ?? defaultCountry) ?? 'en'

/**
 * Where an e-mail is on its way. `sending`: the relay that has the token holds it until the lease ends; `parked`: not
 * tried again until an operator says so; `sent`: the channel took it over for every recipient that it did not refuse.
 */
export type EmailState =
  | Readonly<{ _tag: 'waiting'; dueAt: Instant }>
  | Readonly<{ _tag: 'sending'; token: string; leaseEndsAt: Instant }>
  | Readonly<{ _tag: 'parked'; at: Instant }>
  | Readonly<{ _tag: 'sent'; at: Instant }>

/**
 * The e-mail that tells the customers of one account that it was migrated, as one message for each; an account has one
 * at most. It holds no address and no name: these are read from the account when it is sent.
 */
export type CustomerEmail = Readonly<{
  /** Random letters and digits; Message-IDs come from it, so that a repeated message has the same. */
  id: string
  key: AccountKey
  platformAccountNumber: string
  /** ISO 639 code in lower case, such as `es`. */
  language: string
  enqueuedAt: Instant
  /** Failed deliveries; times when the whole channel did not work do not count. */
  attempts: number
  /** Indexes in `emailRecipients` of those that need nothing more: delivered, or refused for good; ascending. */
  served: readonly number[]
  latestFailure: FailedAttempt | undefined
  state: EmailState
}>

/** The fields of a customer that an e-mail needs. */
export type Contact = Pick<Customer, 'account_roles' | 'given_name' | 'email'>

/** The customers of an account, as an e-mail needs them. */
export const contactsOf = (customers: readonly Customer[]): readonly Contact[] =>
  customers.map(({ account_roles, given_name, email }) => ({
    account_roles,
    ...(given_name !== undefined && { given_name }),
    ...(email !== undefined && { email }),
  }))

/** `name`: absent also where it is none to greet somebody by. */
export type EmailRecipient = Readonly<{ address: string; name: SafeForMail | undefined }>

/** Whoever gives an account hundreds of holders does not make the service send hundreds of e-mails. */
const mostRecipients = 20

/**
 * The recipients of an account's e-mail: the first 20 of its holders that have an address, in payload order, each address once
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

import type { Account } from '../../domain/account.js'
import { emailIdFrom } from '../../domain/customer-email.js'
import { emailLanguage } from '../../domain/email-language.js'
import { wantsEmail } from '../../domain/email-recipients.js'
import type { SupplierSettings } from '../../settings/supplier-settings.js'
import type { Ports } from '../../ports/index.js'
import type { NewCustomerEmail } from '../../ports/outbox.js'

/**
 * The e-mail to the customers of an account that is being created, if the supplier's settings want one and a customer
 * can get it. To be kept in the unit of work that creates the account.
 */
export const newEmail =
  ({ secrets, settings: { defaultCountry } }: Pick<Ports, 'secrets' | 'settings'>) =>
  (account: Account, supplier: SupplierSettings | undefined): NewCustomerEmail | undefined => {
    const { key, platformAccountNumber, createdAt, details } = account
    if (supplier?.migrationEmails !== true || !wantsEmail(details)) return undefined
    return {
      id: emailIdFrom(secrets.generate()),
      key,
      platformAccountNumber,
      language: emailLanguage(supplier, details, defaultCountry),
      enqueuedAt: createdAt,
    }
  }

import type { Account } from '../../domain/account.js'
import { emailIdFrom } from '../../domain/customer-email.js'
import { emailLanguage } from '../../domain/email-language.js'
import { wantsEmail } from '../../domain/email-recipients.js'
import type { SupplierSettings } from '../../settings/supplier-settings.js'
import { TE } from '../../fp.js'
import type { Ports } from '../../ports/index.js'
import type { Outbox } from '../../ports/outbox.js'
import type { PortResult } from '../../ports/port-failure.js'

/**
 * Keeps the e-mail to the customers of an account that is being created, if the supplier's settings want one and a
 * customer can get it. To be called in the unit of work that creates the account, never for a dry run.
 */
export const enqueueEmail =
  ({ secrets, settings: { defaultCountry } }: Pick<Ports, 'secrets' | 'settings'>) =>
  (
    outbox: Pick<Outbox, 'enqueue'>,
    account: Account,
    supplier: SupplierSettings | undefined,
  ): PortResult<void> => {
    const { key, platformAccountNumber, createdAt, details } = account
    if (supplier?.migrationEmails !== true || !wantsEmail(details)) return TE.right(undefined)
    return outbox.enqueue([
      {
        id: emailIdFrom(secrets.generate()),
        key,
        platformAccountNumber,
        language: emailLanguage(supplier, details, defaultCountry),
        enqueuedAt: createdAt,
      },
    ])
  }

import type { Account } from '../../domain/account.js'
import { pipe, TE } from '../../fp.js'
import type { NewCustomerEmail } from '../../ports/outbox.js'
import type { PortResult } from '../../ports/port-failure.js'
import type { TransactionalStores } from '../../ports/unit-of-work.js'
import type { ClaimedAccount } from './claim-account.js'

/** An account that is to be created under its claim, with the e-mail to its customers, if they are to get one. */
export type NewAccount = Readonly<{
  claim: ClaimedAccount
  account: Account
  email: NewCustomerEmail | undefined
}>

export type Written = 'completed' | 'claim_lost'

/**
 * Marks the imports created, creates their accounts and keeps the e-mails, within a unit of work. The claims are ended
 * first: of an account whose claim another process has taken over nothing is written.
 */
export const writeAccounts = (
  { accountImports, accounts, outbox }: Pick<TransactionalStores, 'accountImports' | 'accounts' | 'outbox'>,
  created: readonly NewAccount[],
): PortResult<readonly Written[]> =>
  pipe(
    accountImports.complete(
      created.map(({ claim: { key, token, by }, account: { platformAccountNumber, createdAt } }) => ({
        key,
        token,
        platformAccountNumber,
        at: createdAt,
        by,
      })),
    ),
    TE.tap((outcomes) => {
      const kept = created.filter((_, index) => outcomes[index] === 'completed')
      const emails = kept.flatMap(({ email }) => (email === undefined ? [] : [email]))
      return pipe(
        kept.length === 0 ? TE.right(undefined) : accounts.create(kept.map(({ account }) => account)),
        TE.flatMap(() => (emails.length === 0 ? TE.right(undefined) : outbox.enqueue(emails))),
      )
    }),
  )

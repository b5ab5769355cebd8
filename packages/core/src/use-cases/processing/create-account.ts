import { accountFromPayload } from '../../domain/account-from-payload.js'
import { areOfOneSupplier, nextOfGroup } from '../../domain/account-import.js'
import type { Account } from '../../domain/account.js'
import { emailLanguage, wantsEmail } from '../../domain/customer-email.js'
import { E, pipe, TE } from '../../fp.js'
import type { AccountPayload } from '../../payloads/account.js'
import type { Ports } from '../../ports/index.js'
import type { NewCustomerEmail } from '../../ports/outbox.js'
import type { PortFailure, PortResult } from '../../ports/port-failure.js'
import type { TransactionalStores } from '../../ports/unit-of-work.js'
import { inBatches } from '../../concurrency/batches.js'
import { idFrom } from '../../values/api-key.js'
import type { SupplierSettings } from '../../settings/supplier-settings.js'
import type { ProcessingRefused, UseCaseResult } from '../errors.js'
import { retryAfterSeconds } from '../import-refusals.js'
import type { ClaimedAccount } from './claim-account.js'

/**
 * The e-mail to the customers of a new account, if the supplier's settings enable it and a customer can get it. To be stored in
 * the unit of work that creates the account.
 */
const newEmail =
  ({ secrets, settings: { defaultCountry } }: Pick<Ports, 'secrets' | 'settings'>) =>
  (account: Account, supplier: SupplierSettings | undefined): NewCustomerEmail | undefined => {
    const { key, platformAccountNumber, createdAt, details } = account
    if (supplier?.migrationEmails !== true || !wantsEmail(details)) return undefined
    return {
      id: idFrom(secrets.generate(), 22),
      key,
      platformAccountNumber,
      language: emailLanguage(supplier, details, defaultCountry),
      enqueuedAt: createdAt,
    }
  }

/** An account to be created under its claim, with the e-mail to its customers, if there is one. */
type NewAccount = Readonly<{
  claim: ClaimedAccount
  account: Account
  email: NewCustomerEmail | undefined
}>

type Written = 'completed' | 'claim_lost'

/**
 * Marks the imports created, creates their accounts and stores the e-mails, within a unit of work. The claims are ended first:
 * nothing is written for an account whose claim another process has taken over.
 */
const writeAccounts = (
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

/** The largest number of accounts that one unit of work creates, and of UTF-16 units in their staged data. */
const most = {
  maxItems: 16,
  maxBytes: 4 * 1024 * 1024,
  bytesOf: ({ payload }: ClaimedAccount): number => payload?.length ?? 4 * 1024 * 1024,
}

/** Units of work at one time: while one waits for the disk, the next is filled. */
const parallel = 2

const isOfSupplier = (first: ClaimedAccount, { key }: ClaimedAccount): boolean =>
  areOfOneSupplier(first.key, key)

/** The indexes of accounts that one unit of work creates with the first; two claims of one account are never together. */
const nextAccounts = (waiting: readonly NewAccount[]): readonly number[] =>
  nextOfGroup(
    waiting.map(({ claim }) => claim),
    isOfSupplier,
    most,
  )

const isAway = ({ kind, ofSomeRows }: PortFailure): boolean => kind === 'unavailable' && ofSomeRows !== true

/**
 * Creates accounts that are ready at the same moment in one unit of work. If it fails they are tried one by one, so that an
 * account that cannot be created fails alone; not if the database is unavailable.
 */
const writeTogether = (ports: Pick<Ports, 'unitOfWork'>): ((created: NewAccount) => PortResult<Written>) => {
  const write = inBatches<NewAccount, Written>(
    async (created) => {
      const written = await ports.unitOfWork.run((stores) => writeAccounts(stores, created))()
      if (E.isLeft(written)) throw written.left
      return written.right
    },
    { parallel, next: nextAccounts, isAway: (failure) => isAway(failure as PortFailure) },
  )
  return (created) =>
    TE.tryCatch(
      () => write(created),
      (failure) => failure as PortFailure,
    )
}

type CreationPorts = Pick<
  Ports,
  'accountImports' | 'clock' | 'unitOfWork' | 'platformAccountNumbers' | 'secrets' | 'settings'
>

type Creating<A> = UseCaseResult<ProcessingRefused, A>

const claimLost = ({ claim: { key } }: NewAccount): Creating<void> =>
  TE.left({ _tag: 'ClaimLost', key, retryAfterSeconds })

/**
 * A missing claim may have been ended by this creation, if its commit succeeded and was reported as failed: then the import has
 * the platform account number of this creation, which is unique.
 */
const readBack = ({ accountImports }: Pick<Ports, 'accountImports'>, created: NewAccount): Creating<void> =>
  pipe(
    accountImports.find(created.claim.key),
    TE.flatMap((found) =>
      found?.created?.platformAccountNumber === created.account.platformAccountNumber
        ? TE.right(undefined)
        : claimLost(created),
    ),
  )

/** Does all steps of a creation in a unit of work of its own, and ends in a Left, so that it is rolled back. */
const tryOut = ({ unitOfWork }: CreationPorts, created: NewAccount): Creating<void> =>
  unitOfWork.run((stores) =>
    pipe(
      writeAccounts(stores, [created]),
      TE.flatMap(([written]) => (written === 'completed' ? TE.right(undefined) : claimLost(created))),
      TE.flatMap((): Creating<void> => TE.left({ _tag: 'DryRunSucceeded' })),
    ),
  )

/**
 * Creates the account, marks its import created and stores the e-mail to its customers, if the supplier's settings enable it, in
 * one unit of work, together with other accounts that are ready at the same moment. A dry run stores nothing, and no e-mail.
 */
export const createAccount = (ports: CreationPorts) => {
  const write = writeTogether(ports)
  return (
    claim: ClaimedAccount,
    payload: AccountPayload,
    operationsTeam: string,
    supplier: SupplierSettings | undefined,
  ): Creating<Account> =>
    pipe(
      ports.platformAccountNumbers.next(),
      TE.map((platformAccountNumber): Account => {
        const createdAt = ports.clock.now()
        const details = accountFromPayload(payload, createdAt)
        return {
          key: claim.key,
          platformAccountNumber,
          operationsTeam,
          stagedVersion: claim.version,
          createdAt,
          ...(claim.importRun !== undefined && { importRun: claim.importRun }),
          details,
        }
      }),
      TE.tap((account): Creating<void> => {
        if (claim.dryRun) return tryOut(ports, { claim, account, email: undefined })
        const created = { claim, account, email: newEmail(ports)(account, supplier) }
        return pipe(
          write(created),
          TE.flatMap((written: Written) =>
            written === 'completed' ? TE.right(undefined) : readBack(ports, created),
          ),
        )
      }),
    )
}

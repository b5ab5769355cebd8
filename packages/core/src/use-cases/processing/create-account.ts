import type { UseCaseResult } from '../errors.js'
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
import type { ProcessingRefused } from '../errors.js'
import { retryAfterSeconds } from '../import-refusals.js'
import type { ClaimedAccount } from './claim-account.js'

/**
 * The e-mail to the customers of an account that is being created, if the supplier's settings want one and a customer
 * can get it. To be kept in the unit of work that creates the account.
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

/** An account that is to be created under its claim, with the e-mail to its customers, if they are to get one. */
type NewAccount = Readonly<{
  claim: ClaimedAccount
  account: Account
  email: NewCustomerEmail | undefined
}>

type Written = 'completed' | 'claim_lost'

/**
 * Marks the imports created, creates their accounts and keeps the e-mails, within a unit of work. The claims are ended
 * first: of an account whose claim another process has taken over nothing is written.
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

/** Accounts that one unit of work creates at most, and how much text they were staged as, in UTF-16 units. */
const most = {
  maxItems: 16,
  maxBytes: 4 * 1024 * 1024,
  bytesOf: ({ payload }: ClaimedAccount): number => payload.length,
}

/** Units of work at one time: while one waits for its disk, the next is filled. */
const parallel = 2

const isOfSupplier = (first: ClaimedAccount, { key }: ClaimedAccount): boolean =>
  areOfOneSupplier(first.key, key)

/** The indexes of those that go with the first; an expired claim and its heir do not go together. */
const nextAccounts = (waiting: readonly NewAccount[]): readonly number[] =>
  nextOfGroup(
    waiting.map(({ claim }) => claim),
    isOfSupplier,
    most,
  )

const isAway = ({ kind, ofSomeRows }: PortFailure): boolean => kind === 'unavailable' && ofSomeRows !== true

/**
 * Creates accounts that are ready at the same moment in one unit of work. Where it fails they are tried one by one, so
 * that an account that cannot be created fails alone; not where the database is away.
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
 * A claim that is gone may have been ended by this very creation, whose commit was done and reported as failed: then the
 * import has the number that was meant for it, which nobody else has.
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

/** Does all that a creation does, in a unit of work of its own, and ends in a Left, so that nothing is kept. */
const tryOut = ({ unitOfWork }: CreationPorts, created: NewAccount): Creating<void> =>
  unitOfWork.run((stores) =>
    pipe(
      writeAccounts(stores, [created]),
      TE.flatMap(([written]) => (written === 'completed' ? TE.right(undefined) : claimLost(created))),
      TE.flatMap((): Creating<void> => TE.left({ _tag: 'DryRunSucceeded' })),
    ),
  )

/**
 * Creates the account and marks its import created, in one unit of work, with the e-mail to its customers if the
 * supplier's settings want one; with others that are ready at the same moment. A dry run keeps nothing, and no e-mail.
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

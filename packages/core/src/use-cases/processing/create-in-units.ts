import { slots, TooManyWaiting } from '../../concurrency/fair-queue.js'
import type { Account } from '../../domain/account.js'
import { emailLanguage, wantsEmail } from '../../domain/customer-email.js'
import { E, type Either, pipe } from '../../fp.js'
import type { Ports } from '../../ports/index.js'
import type { NewCustomerEmail } from '../../ports/outbox.js'
import type { PortFailure, PortResult } from '../../ports/port-failure.js'
import type { TransactionalStores } from '../../ports/unit-of-work.js'
import { idFrom } from '../../values/api-key.js'
import type { ProcessingRefused } from '../errors.js'
import { retryAfterSeconds } from '../import-refusals.js'
import { inSequence } from '../lists.js'
import {
  createValidated,
  isLarge,
  type CreationResult,
  type LargeAccounts,
  type PlannedCreation,
} from './create-validated.js'

/** The e-mail to the customers of a new account, if the supplier's settings enable it and a customer can get it. */
const emailOf = (
  { secrets, settings: { defaultCountry } }: Ports,
  { accepted }: PlannedCreation,
  { key, platformAccountNumber, createdAt, details }: Account,
): readonly NewCustomerEmail[] => {
  const { settings } = accepted.supplier
  if (!settings.migrationEmails || !wantsEmail(details)) return []
  const language = emailLanguage(settings, details, defaultCountry)
  return [{ id: idFrom(secrets.generate(), 22), key, platformAccountNumber, language, enqueuedAt: createdAt }]
}

type Stores = Pick<TransactionalStores, 'accountImports' | 'accounts' | 'outbox'>

/** Tells the platform of new accounts, and stores the e-mails to their customers. */
const notifyPlatform = async (
  ports: Ports,
  { accounts, outbox }: Stores,
  planned: readonly PlannedCreation[],
  results: readonly CreationResult[],
): PortResult<void> => {
  const created = planned.flatMap((each, index): readonly (readonly [PlannedCreation, Account])[] => {
    const answer = results[index]
    if (answer === undefined || E.isLeft(answer) || answer.right.outcome._tag !== 'created') return []
    // An account that an earlier call created is not read again: the platform knows it.
    return answer.right.account === undefined ? [] : [[each, answer.right.account]]
  })
  const emails = created.flatMap(([each, account]) => emailOf(ports, each, account))
  const notified =
    created.length === 0 || accounts.create === undefined
      ? E.right(undefined)
      : await accounts.create(created.map(([, account]) => account))
  return E.isLeft(notified) || emails.length === 0 ? notified : outbox.enqueue(emails)
}

/**
 * Creates accounts within one unit of work: their data cannot change until it ends. Data that is not valid any more is the answer of
 * its own account alone. Left: a port failed, and the unit of work has to be rolled back.
 */
const createWithin = async (
  ports: Ports,
  stores: Stores,
  planned: readonly PlannedCreation[],
  large: LargeAccounts,
): PortResult<readonly CreationResult[]> => {
  const results = await createValidated(ports, stores.accountImports, planned, large)
  for (const each of results) if (E.isLeft(each) && each.left._tag === 'PortFailure') return E.left(each.left)
  return inSequence(
    () => notifyPlatform(ports, stores, planned, results),
    async () => E.right(results),
  )
}

/** Accounts in one unit of work, which holds their data in memory. */
const mostInUnit = 16

/**
 * One unit of work for all, one or more, which are of one organisation; if it fails, one for each, so that an account that cannot be created
 * fails alone.
 */
const createOrSplit = async (
  ports: Ports,
  planned: readonly PlannedCreation[],
  large: LargeAccounts,
): Promise<readonly CreationResult[]> => {
  const [{ creation }] = planned as readonly [PlannedCreation]
  const { organisation } = creation.key
  const done = await ports.unitOfWork.run(organisation, (stores) =>
    createWithin(ports, stores, planned, large),
  )
  if (E.isRight(done)) return done.right
  const isAway = done.left.kind === 'unavailable' && done.left.ofSomeRows !== true
  if (planned.length === 1 || isAway) return planned.map(() => done)
  const results: CreationResult[] = []
  for (const each of planned) results.push(...(await createOrSplit(ports, [each], large)))
  return results
}

/** Creates accounts in units of work of up to 16. */
const createInUnits = async (
  ports: Ports,
  planned: readonly PlannedCreation[],
  large: LargeAccounts,
): Promise<readonly CreationResult[]> => {
  const results: CreationResult[] = []
  for (let from = 0; from < planned.length; from += mostInUnit)
    results.push(...(await createOrSplit(ports, planned.slice(from, from + mostInUnit), large)))
  return results
}

/** The answer of a dry run that found nothing wrong; a Left, so that its unit of work is rolled back. */
type DryRunSucceeded = Extract<ProcessingRefused, { _tag: 'DryRunSucceeded' }>

/** Does all steps of a creation, and undoes them. */
const tryOut = (
  ports: Ports,
  planned: PlannedCreation,
  large: LargeAccounts,
): Promise<Either<DryRunSucceeded | PortFailure, readonly CreationResult[]>> =>
  ports.unitOfWork.run<DryRunSucceeded | PortFailure, readonly CreationResult[]>(
    planned.creation.key.organisation,
    async (stores) =>
      pipe(
        await createWithin(ports, stores, [planned], large),
        E.flatMap((results) => {
          const [only] = results
          return only !== undefined && E.isRight(only) && only.right.outcome._tag === 'created'
            ? E.left<DryRunSucceeded | PortFailure>({ _tag: 'DryRunSucceeded' })
            : E.right(results)
        }),
      ),
  )

/** Tries accounts out, each in a unit of work of its own. Stores nothing. */
const tryOutEach = async (
  ports: Ports,
  planned: readonly PlannedCreation[],
  large: LargeAccounts,
): Promise<readonly CreationResult[]> => {
  const results: CreationResult[] = []
  for (const each of planned) {
    const tried = await tryOut(ports, each, large)
    results.push(E.isLeft(tried) ? tried : (tried.right[0] as CreationResult))
  }
  return results
}

/** Large accounts of one organisation that may wait: few enough for the last of them to be created before its claim expires. */
const mostWaiting = 32

const tooMany: CreationResult = E.left<ProcessingRefused>({
  _tag: 'ConcurrencyLimitReached',
  retryAfterSeconds,
})

type Work = (
  ports: Ports,
  planned: readonly PlannedCreation[],
  large: LargeAccounts,
) => Promise<readonly CreationResult[]>

/**
 * Work in units of work. Large accounts come one after the other in the whole process, so that memory is needed for one, and
 * organisations take turns; if too many of one organisation wait, more are `ConcurrencyLimitReached`.
 */
export const unitsOfWork = (ports: Ports) => {
  const turns = slots(1, mostWaiting)
  const alone = async (planned: PlannedCreation, work: Work): Promise<CreationResult> => {
    const { organisation } = planned.creation.key
    try {
      const done = await turns.run(organisation, new AbortController().signal, () =>
        work(ports, [planned], 'create'),
      )
      return done[0] as CreationResult
    } catch (cause) {
      if (cause instanceof TooManyWaiting) return tooMany
      throw cause
    }
  }
  const inUnits =
    (work: Work) =>
    async (planned: readonly PlannedCreation[]): Promise<readonly CreationResult[]> => {
      const results = [...(await work(ports, planned, 'skip'))]
      for (const [index, each] of planned.entries())
        if (isLarge(results[index])) results[index] = await alone(each, work)
      return results
    }
  return {
    create: inUnits(createInUnits),
    /** Creates an account that is known to be large. */
    createLarge: (planned: PlannedCreation) => alone(planned, createInUnits),
    tryOut: inUnits(tryOutEach),
  }
}

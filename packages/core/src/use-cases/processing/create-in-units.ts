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
import { createValid, isLarge, type Settled, type Sizes, type Wanted } from './create-valid.js'

/** The e-mail to the customers of a new account, if the supplier's settings enable it and a customer can get it. */
const emailOf = (
  { secrets, settings: { defaultCountry } }: Ports,
  { accepted }: Wanted,
  { key, platformAccountNumber, createdAt, details }: Account,
): readonly NewCustomerEmail[] => {
  const { settings } = accepted.supplier
  if (!settings.migrationEmails || !wantsEmail(details)) return []
  const language = emailLanguage(settings, details, defaultCountry)
  return [{ id: idFrom(secrets.generate(), 22), key, platformAccountNumber, language, enqueuedAt: createdAt }]
}

type Stores = Pick<TransactionalStores, 'accountImports' | 'accounts' | 'outbox'>

/** Tells the platform of new accounts, and stores the e-mails to their customers. */
const tell = async (
  ports: Ports,
  { accounts, outbox }: Stores,
  wanted: readonly Wanted[],
  settled: readonly Settled[],
): PortResult<void> => {
  const created = wanted.flatMap((each, index): readonly (readonly [Wanted, Account])[] => {
    const answer = settled[index]
    if (answer === undefined || E.isLeft(answer) || answer.right.outcome._tag !== 'created') return []
    // An account that an earlier call created is not read again: the platform knows it.
    return answer.right.account === undefined ? [] : [[each, answer.right.account]]
  })
  const emails = created.flatMap(([each, account]) => emailOf(ports, each, account))
  const told =
    created.length === 0 || accounts.create === undefined
      ? E.right(undefined)
      : await accounts.create(created.map(([, account]) => account))
  return E.isLeft(told) || emails.length === 0 ? told : outbox.enqueue(emails)
}

/**
 * Creates accounts within one unit of work: their data cannot change until it ends. Data that is not valid any more is the answer of
 * its own account alone. Left: a port failed, and the unit of work has to be rolled back.
 */
const createWithin = async (
  ports: Ports,
  stores: Stores,
  wanted: readonly Wanted[],
  sizes: Sizes,
): PortResult<readonly Settled[]> => {
  const settled = await createValid(ports, stores.accountImports, wanted, sizes)
  for (const each of settled) if (E.isLeft(each) && each.left._tag === 'PortFailure') return E.left(each.left)
  return inSequence(
    () => tell(ports, stores, wanted, settled),
    async () => E.right(settled),
  )
}

/** Accounts in one unit of work, which holds their data in memory. */
const mostInUnit = 16

/** One unit of work for all; if it fails, one for each, so that an account that cannot be created fails alone. */
const createTogether = async (
  ports: Ports,
  wanted: readonly Wanted[],
  sizes: Sizes,
): Promise<readonly Settled[]> => {
  const done = await ports.unitOfWork.run((stores) => createWithin(ports, stores, wanted, sizes))
  if (E.isRight(done)) return done.right
  const isAway = done.left.kind === 'unavailable' && done.left.ofSomeRows !== true
  if (wanted.length === 1 || isAway) return wanted.map(() => done)
  const settled: Settled[] = []
  for (const each of wanted) settled.push(...(await createTogether(ports, [each], sizes)))
  return settled
}

/** Creates accounts in units of work of up to 16. */
const createInUnits = async (
  ports: Ports,
  wanted: readonly Wanted[],
  sizes: Sizes,
): Promise<readonly Settled[]> => {
  const settled: Settled[] = []
  for (let from = 0; from < wanted.length; from += mostInUnit)
    settled.push(...(await createTogether(ports, wanted.slice(from, from + mostInUnit), sizes)))
  return settled
}

/** The answer of a dry run that found nothing wrong; a Left, so that its unit of work is rolled back. */
type DryRunSucceeded = Extract<ProcessingRefused, { _tag: 'DryRunSucceeded' }>

/** Does all steps of a creation, and undoes them. */
const tryOut = (
  ports: Ports,
  wanted: Wanted,
  sizes: Sizes,
): Promise<Either<DryRunSucceeded | PortFailure, readonly Settled[]>> =>
  ports.unitOfWork.run<DryRunSucceeded | PortFailure, readonly Settled[]>(async (stores) =>
    pipe(
      await createWithin(ports, stores, [wanted], sizes),
      E.flatMap((settled) => {
        const [only] = settled
        return only !== undefined && E.isRight(only) && only.right.outcome._tag === 'created'
          ? E.left<DryRunSucceeded | PortFailure>({ _tag: 'DryRunSucceeded' })
          : E.right(settled)
      }),
    ),
  )

/** Tries accounts out, each in a unit of work of its own. Stores nothing. */
const tryOutEach = async (
  ports: Ports,
  wanted: readonly Wanted[],
  sizes: Sizes,
): Promise<readonly Settled[]> => {
  const settled: Settled[] = []
  for (const each of wanted) {
    const tried = await tryOut(ports, each, sizes)
    settled.push(E.isLeft(tried) ? tried : (tried.right[0] as Settled))
  }
  return settled
}

/** Large accounts of one organisation that may wait: few enough for the last of them to be created before its claim expires. */
const mostWaiting = 32

const tooMany: Settled = E.left<ProcessingRefused>({ _tag: 'ConcurrencyLimitReached', retryAfterSeconds })

type Work = (ports: Ports, wanted: readonly Wanted[], sizes: Sizes) => Promise<readonly Settled[]>

/**
 * Work in units of work. Large accounts come one after the other in the whole process, so that memory is needed for one, and
 * organisations take turns; if too many of one organisation wait, more are `ConcurrencyLimitReached`.
 */
export const unitsOfWork = (ports: Ports) => {
  const turns = slots(1, mostWaiting)
  const alone = async (wanted: Wanted, work: Work): Promise<Settled> => {
    const { organisation } = wanted.creation.key
    try {
      const done = await turns.run(organisation, new AbortController().signal, () =>
        work(ports, [wanted], 'all'),
      )
      return done[0] as Settled
    } catch (cause) {
      if (cause instanceof TooManyWaiting) return tooMany
      throw cause
    }
  }
  const inUnits =
    (work: Work) =>
    async (wanted: readonly Wanted[]): Promise<readonly Settled[]> => {
      const settled = [...(await work(ports, wanted, 'not_large'))]
      for (const [index, each] of wanted.entries())
        if (isLarge(settled[index])) settled[index] = await alone(each, work)
      return settled
    }
  return {
    create: inUnits(createInUnits),
    /** Creates an account that is known to be large. */
    createLarge: (wanted: Wanted) => alone(wanted, createInUnits),
    tryOut: inUnits(tryOutEach),
  }
}

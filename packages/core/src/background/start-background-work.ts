import { E, type Either } from '../fp.js'
import type { PortFailure, PortResult } from '../ports/port-failure.js'
import type { RateLimits } from '../ports/rate-limits.js'
import type { AuditUseCases } from '../use-cases/audit.js'
import type { UseCases } from '../use-cases/index.js'
import { instantOf } from '../values/instant.js'
import { startEmailRelay } from './email-relay.js'
import { answered, type BackgroundObserver, type Chore, observerOf } from './observer.js'
import { pause } from '../concurrency/pause.js'

/** One chore: milliseconds before its first run, one run of it, which gives milliseconds until the next, and those after a failure. */
type Run = Readonly<{
  first: number
  once: () => Promise<Either<PortFailure, number>>
  afterFailure: number
}>

/** Never the same for two servers that were started together. */
const about = (milliseconds: number): number => milliseconds * (0.5 + Math.random())

/** How much is removed at one time, and how long others have the database to themselves after it. */
const removal = { batch: 500, restMilliseconds: 50 }

/** Removes what has expired, a bounded number at a time. */
const forgetting = (
  forget: (limit: number) => PortResult<number>,
  everyMilliseconds: number,
  onForgotten: (count: number) => void = () => undefined,
): Run => ({
  first: about(everyMilliseconds),
  once: async () => {
    const forgotten = await forget(removal.batch)()
    if (forgotten._tag === 'Left') return forgotten
    if (forgotten.right > 0) onForgotten(forgotten.right)
    return E.right(
      forgotten.right < removal.batch
        ? about(everyMilliseconds)
        : Math.min(removal.restMilliseconds, everyMilliseconds),
    )
  },
  afterFailure: about(everyMilliseconds),
})

const notingKeyUses = (noteKeyUses: UseCases['noteKeyUses'], everyMilliseconds: number): Run => ({
  first: about(everyMilliseconds),
  once: async () => {
    const noted = await noteKeyUses()()
    return noted._tag === 'Left' ? noted : E.right(about(everyMilliseconds))
  },
  afterFailure: about(everyMilliseconds),
})

/** How much is sealed at one time, and how long others have the database to themselves after it. */
const sealed = { batch: 250, restMilliseconds: 20 }

/** Seals what was recorded. A server that finds another one at it leaves it alone for four times as long. */
const sealing = ({ seal }: Pick<AuditUseCases, 'seal'>, idleMilliseconds: number): Run => ({
  first: idleMilliseconds * Math.random(),
  once: async () => {
    const sealing = await seal(sealed.batch)()
    if (sealing._tag === 'Left') return sealing
    if (sealing.right._tag === 'elsewhere') return E.right(about(4 * idleMilliseconds))
    return E.right(sealing.right.more ? sealed.restMilliseconds : about(idleMilliseconds))
  },
  afterFailure: 4 * idleMilliseconds,
})

export type BackgroundOptions = Readonly<{
  /**
   * Told of every run that failed; the chore is tried again later. Left out, a line of JSON on stderr names chore, port and
   * operation.
   */
  onFailure?: BackgroundObserver['onFailure']
  /** Told what became of each e-mail that was tried; nobody by default. */
  onEmail?: BackgroundObserver['onEmail']
  /** Told of how many accounts staged data was removed, where there was some; nobody by default. */
  onStagedDataRemoved?: BackgroundObserver['onStagedDataRemoved']
  /** Where limits of requests are counted (`KeyRate` of the HTTP adapter), if they are: windows that are over are removed. */
  rateLimits?: Pick<RateLimits, 'forget'>
  /** E-mails in hand at one time, 1 to 100; 5 when absent. */
  emailsAtOneTime?: number
  /** About how long kept answers, staged data, uses of keys and limits are left alone; 60 000 when absent. */
  everyMilliseconds?: number
  /** About how long sealing rests when nothing waits to be sealed; 2000 when absent. */
  sealingMilliseconds?: number
}>

export type BackgroundWork = Readonly<{
  /**
   * Begins nothing more, and resolves when nothing goes on any more: e-mails that are still being sent after `milliseconds` (10 000 when
   * absent) are cut off and given back. Uses of keys are written down a last time once `requestsEnded` has settled, at once when
   * absent. To be called before the database is closed.
   */
  stop(milliseconds?: number, requestsEnded?: Promise<unknown>): Promise<void>
}>

/** The use cases that somebody has to call again and again. */
export type BackgroundUseCases = Pick<
  UseCases,
  'audit' | 'emails' | 'forgetAnswers' | 'noteKeyUses' | 'removeDuePayloads'
>

const choresOf = (
  { audit, forgetAnswers, noteKeyUses, removeDuePayloads }: BackgroundUseCases,
  { rateLimits, everyMilliseconds = 60_000, sealingMilliseconds = 2000 }: BackgroundOptions,
  { onStagedDataRemoved }: BackgroundObserver,
): readonly (readonly [Chore, Run])[] => [
  ['api_key_uses', notingKeyUses(noteKeyUses, everyMilliseconds)],
  ['audit', sealing(audit, sealingMilliseconds)],
  ['idempotency_records', forgetting(forgetAnswers, everyMilliseconds)],
  ['staged_data', forgetting(removeDuePayloads, everyMilliseconds, onStagedDataRemoved)],
  ...(rateLimits === undefined
    ? []
    : [
        [
          'rate_limits',
          forgetting((limit) => rateLimits.forget(instantOf(Date.now()), limit), everyMilliseconds),
        ] as const,
      ]),
]

/**
 * Does all that has to be done beside requests, until it is stopped: seals audit events, removes kept answers and staged data that
 * are due, writes down when API keys were used, and, where the use cases have a channel to customers, delivers their e-mails. A chore
 * runs once at a time; after a failure it is tried again later. Every process of a service may do so: they share the work.
 */
export const startBackgroundWork = (
  useCases: BackgroundUseCases,
  options: BackgroundOptions = {},
): BackgroundWork => {
  const stopping = new AbortController()
  const { signal } = stopping
  const observer = observerOf(options)
  const runOnce = async (chore: Chore, { once, afterFailure }: Run): Promise<number> => {
    const result = await answered(chore, once)
    if (result._tag === 'Right') return result.right
    observer.onFailure({ chore, failure: result.left })
    return afterFailure
  }
  const repeat = async (chore: Chore, run: Run): Promise<void> => {
    await pause(run.first, signal)
    while (!signal.aborted) await pause(await runOnce(chore, run), signal)
  }
  const chores = choresOf(useCases, options, observer)
  const ended = chores.map(([chore, run]) => repeat(chore, run))
  const relay = useCases.emails.canSend
    ? startEmailRelay(useCases.emails, options.emailsAtOneTime ?? 5, observer)
    : undefined
  return {
    stop: async (milliseconds = 10_000, requestsEnded = Promise.resolve()) => {
      stopping.abort()
      await Promise.all([...ended, relay?.stop(milliseconds), requestsEnded.catch(() => undefined)])
      await runOnce('api_key_uses', notingKeyUses(useCases.noteKeyUses, 0))
    },
  }
}

import { pause } from '../concurrency/pause.js'
import { type Either, E } from '../fp.js'
import type { ClaimedEmail } from '../ports/outbox.js'
import type { PortFailure, PortResult } from '../ports/port-failure.js'
import type { RateLimits } from '../ports/unit-of-work.js'
import type { AuditUseCases } from '../use-cases/audit.js'
import type { EmailOutcome, EmailUseCases } from '../use-cases/emails.js'
import type { UseCases } from '../use-cases/index.js'
import { instantOf } from '../values/instant.js'
import {
  answered,
  type BackgroundObserver,
  type Chore,
  observerOf,
  startWebhookRelay,
} from './webhook-relay.js'

const isFailure = (result: Either<PortFailure, EmailOutcome>): boolean =>
  result._tag === 'Left' || (result.right.outcome === 'released' && result.right.code !== undefined)

/** The e-mails that one relay is delivering now. */
const createDeliveries = (emails: EmailUseCases, observer: BackgroundObserver) => {
  const running = new Set<Promise<void>>()
  const cutting = new AbortController()
  let failing = false
  const run = (work: ReturnType<EmailUseCases['deliver']>): void => {
    const one: Promise<void> = answered('emails', work).then((result) => {
      running.delete(one)
      if (result._tag === 'Left') observer.onFailure({ chore: 'emails', failure: result.left })
      else observer.onEmail(result.right)
      failing = isFailure(result)
    })
    running.add(one)
  }
  return {
    count: () => running.size,
    /** Whether the latest one said that the channel or the store does not work. */
    failing: () => failing,
    /** Forgets the fault when no e-mail is left that could try whether it is over. */
    forgetFailure: () => {
      failing = false
    },
    begin: (claimed: ClaimedEmail) => run(emails.deliver(claimed, cutting.signal)),
    /** Gives an e-mail back that was claimed too late. */
    giveBack: (claimed: ClaimedEmail) => run(emails.release(claimed)),
    /** Resolves when one of them has ended; there is at least one. */
    oneEnded: () => Promise.race(running),
    allEnded: () => Promise.all(running),
    /** Ends them all soon. */
    cutOff: () => cutting.abort(),
  }
}

type Deliveries = ReturnType<typeof createDeliveries>

/** When nothing is due: milliseconds until it looks again, growing from the least to the most. */
const idlePauses = { least: 250, most: 2000 }
/** When the channel or the store does not work: milliseconds until one e-mail tries it, from the least to the most. */
const failurePauses = { least: 1000, most: 60_000 }

type Claim = (limit: number) => Promise<'some' | 'none' | 'failed'>

/** Claims e-mails and begins to deliver them; those that arrive after the relay was stopped are given back. */
const claimer =
  (
    emails: EmailUseCases,
    deliveries: Deliveries,
    observer: BackgroundObserver,
    stopping: AbortSignal,
  ): Claim =>
  async (limit) => {
    const claimed = await answered('emails', emails.claimDue(limit))
    if (claimed._tag === 'Left') {
      observer.onFailure({ chore: 'emails', failure: claimed.left })
      return 'failed'
    }
    claimed.right.forEach(stopping.aborted ? deliveries.giveBack : deliveries.begin)
    return claimed.right.length > 0 ? 'some' : 'none'
  }

/** Pauses that become twice as long with each in a row, between the two limits, and never the same for two servers. */
const growingPause = (least: number, most: number) => {
  let milliseconds = least
  return {
    next: () => {
      const now = milliseconds
      milliseconds = Math.min(most, milliseconds * 2)
      return now * (0.75 + Math.random() / 2)
    },
    reset: () => {
      milliseconds = least
    },
  }
}

/** Works at full width until something does not work; then one e-mail at a time finds out whether it does again. */
const relay = async (
  claim: Claim,
  deliveries: Deliveries,
  concurrency: number,
  stopping: AbortSignal,
): Promise<void> => {
  const idle = growingPause(idlePauses.least, idlePauses.most)
  const afterFailure = growingPause(failurePauses.least, failurePauses.most)
  let storeFails = false
  while (!stopping.aborted) {
    const cautious = storeFails || deliveries.failing()
    if (cautious) {
      await deliveries.allEnded()
      await pause(afterFailure.next(), stopping)
      if (stopping.aborted) return
    } else if (deliveries.count() >= concurrency) {
      await deliveries.oneEnded()
      continue
    }
    const outcome = await claim(cautious ? 1 : concurrency - deliveries.count())
    storeFails = outcome === 'failed'
    if (cautious) await deliveries.allEnded()
    if (outcome === 'none') {
      deliveries.forgetFailure()
      await pause(idle.next(), stopping)
    } else idle.reset()
    if (!storeFails && !deliveries.failing()) afterFailure.reset()
  }
}

/**
 * Delivers what is due in the outbox until it is stopped, `concurrency` e-mails at a time. Any number of relays, in any
 * number of processes, share one outbox.
 */
const startEmailRelay = (emails: EmailUseCases, concurrency: number, observer: BackgroundObserver) => {
  const stopping = new AbortController()
  const deliveries = createDeliveries(emails, observer)
  const claim = claimer(emails, deliveries, observer, stopping.signal)
  const ended = relay(claim, deliveries, concurrency, stopping.signal)
  return {
    /**
     * Claims nothing more, and lets what is being sent end; after so many milliseconds it is cut off and given back.
     * Resolves when nothing goes on any more.
     */
    stop: async (milliseconds: number): Promise<void> => {
      stopping.abort()
      const done = new AbortController()
      void pause(milliseconds, done.signal).then(deliveries.cutOff)
      await ended
      await deliveries.allEnded()
      done.abort()
    },
  }
}

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
  /** Told what became of each message to a webhook; nobody by default. */
  onWebhook?: BackgroundObserver['onWebhook']
  /** Where limits of requests are counted (`KeyRate` of the HTTP adapter), if they are: windows that are over are removed. */
  rateLimits?: Pick<RateLimits, 'forget'>
  /** E-mails in hand at one time, 1 to 100; 5 when absent. */
  emailsAtOneTime?: number
  /** About how long kept answers, staged data, uses of keys and limits are left alone; 60 000 when absent. */
  everyMilliseconds?: number
  /** About how long sealing rests when nothing waits to be sealed; 2000 when absent. */
  sealingMilliseconds?: number
  /** About how long nobody looks for messages to webhooks when none is due; 2000 when absent. */
  webhooksMilliseconds?: number
}>

export type BackgroundWork = Readonly<{
  /**
   * Begins nothing more, and resolves when nothing goes on any more: e-mails and webhooks' messages that are still being sent after
   * `milliseconds` (10 000 when absent) are cut off and given back. Uses of keys are written down a last time once `requestsEnded` has settled, at once when
   * absent. To be called before the database is closed.
   */
  stop(milliseconds?: number, requestsEnded?: Promise<unknown>): Promise<void>
}>

/** The use cases that somebody has to call again and again. */
export type BackgroundUseCases = Pick<
  UseCases,
  'audit' | 'emails' | 'forgetAnswers' | 'noteKeyUses' | 'removeDuePayloads' | 'webhooks'
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
 * are due, writes down when API keys were used, and, where the use cases can send them, delivers e-mails and messages to webhooks. A chore
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
  const webhooks = useCases.webhooks.canSend
    ? startWebhookRelay(useCases.webhooks, options.webhooksMilliseconds ?? 2000, observer)
    : undefined
  return {
    stop: async (milliseconds = 10_000, requestsEnded = Promise.resolve()) => {
      stopping.abort()
      await Promise.all([
        ...ended,
        relay?.stop(milliseconds),
        webhooks?.stop(milliseconds),
        requestsEnded.catch(() => undefined),
      ])
      await runOnce('api_key_uses', notingKeyUses(useCases.noteKeyUses, 0))
    },
  }
}

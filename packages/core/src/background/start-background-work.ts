import { about, backoff, pause } from '../concurrency/pause.js'
import { type Either, E } from '../fp.js'
import type { ClaimedEmail } from '../ports/outbox.js'
import type { PortFailure, PortResult } from '../ports/port-failure.js'
import type { AuditUseCases } from '../operating/audit.js'
import type { EmailOutcome, EmailUseCases } from '../operating/emails.js'
import type { UseCases } from '../service/use-cases.js'
import {
  answered,
  type BackgroundObserver,
  type Chore,
  observerOf,
  startWebhookRelay,
} from './webhook-relay.js'

const isFailure = (result: Either<PortFailure, EmailOutcome>): boolean =>
  result._tag === 'Left' || (result.right.outcome === 'released' && result.right.code !== undefined)

/** The present deliveries of one relay. */
const createDeliveries = (emails: EmailUseCases, observer: BackgroundObserver) => {
  const running = new Set<Promise<void>>()
  const cutting = new AbortController()
  let failing = false
  const run = (work: () => ReturnType<EmailUseCases['deliver']>): void => {
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
    /** Whether the latest delivery found that the channel or the store does not work. */
    failing: () => failing,
    /** Resets the fault when there is no e-mail to test it with. */
    forgetFailure: () => {
      failing = false
    },
    begin: (claimed: ClaimedEmail) => run(() => emails.deliver(claimed, cutting.signal)),
    /** Releases an e-mail that was claimed too late. */
    release: (claimed: ClaimedEmail) => run(() => emails.release(claimed)),
    /** Resolves when the first delivery has ended; there must be one. */
    oneEnded: () => Promise.race(running),
    allEnded: () => Promise.all(running),
    /** Aborts all deliveries. */
    cutOff: () => cutting.abort(),
  }
}

type Deliveries = ReturnType<typeof createDeliveries>

/** Milliseconds until the next claim when nothing is due. */
const idlePause = { first: 300, longest: 2500 }
/** Milliseconds until one e-mail tests a failing channel or store. */
const failurePause = { first: 1500, longest: 75_000 }

type Claim = (limit: number) => Promise<'some' | 'none' | 'failed'>

/** Claims e-mails and begins to deliver them; releases them if the relay was stopped meanwhile. */
const claimer =
  (
    emails: EmailUseCases,
    deliveries: Deliveries,
    observer: BackgroundObserver,
    stopping: AbortSignal,
  ): Claim =>
  async (limit) => {
    const claimed = await answered('emails', () => emails.claimDue(limit))
    if (claimed._tag === 'Left') {
      observer.onFailure({ chore: 'emails', failure: claimed.left })
      return 'failed'
    }
    claimed.right.forEach(stopping.aborted ? deliveries.release : deliveries.begin)
    return claimed.right.length > 0 ? 'some' : 'none'
  }

/** Delivers `concurrency` e-mails at a time; after a failure one at a time, until one succeeds. */
const relay = async (
  claim: Claim,
  deliveries: Deliveries,
  concurrency: number,
  stopping: AbortSignal,
): Promise<void> => {
  let idle = 0
  let failures = 0
  let storeFails = false
  while (!stopping.aborted) {
    const cautious = storeFails || deliveries.failing()
    if (cautious) {
      await deliveries.allEnded()
      await pause(backoff(++failures, failurePause), stopping)
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
      await pause(backoff(++idle, idlePause), stopping)
    } else idle = 0
    if (!storeFails && !deliveries.failing()) failures = 0
  }
}

/**
 * Delivers the e-mails that are due in the outbox until it is stopped, `concurrency` at a time. Any number of relays, in any
 * number of processes, share one outbox.
 */
const startEmailRelay = (emails: EmailUseCases, concurrency: number, observer: BackgroundObserver) => {
  const stopping = new AbortController()
  const deliveries = createDeliveries(emails, observer)
  const claim = claimer(emails, deliveries, observer, stopping.signal)
  const ended = relay(claim, deliveries, concurrency, stopping.signal)
  return {
    /**
     * Claims nothing more, and waits for the present deliveries; after so many milliseconds it aborts and releases them. Resolves
     * when all have ended.
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

/**
 * One chore: milliseconds before its first run, one run, which returns milliseconds until the next, and those after a failure.
 */
type Run = Readonly<{
  first: number
  once: () => Promise<Either<PortFailure, number>>
  afterFailure: number
}>

/** The number of rows of one removal, and the pause after it for other uses of the database. */
const removal = { batch: 500, restMilliseconds: 50 }

/** Removes expired rows, a bounded number at a time. */
const forgetting = (
  forget: (limit: number) => PortResult<number>,
  everyMilliseconds: number,
  onForgotten: (count: number) => void = () => undefined,
): Run => ({
  first: about(everyMilliseconds),
  once: async () => {
    const forgotten = await forget(removal.batch)
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
    const noted = await noteKeyUses()
    return noted._tag === 'Left' ? noted : E.right(about(everyMilliseconds))
  },
  afterFailure: about(everyMilliseconds),
})

/** The number of entries of one sealing, also while sealing is behind, and the pause after it for other uses of the database. */
const sealed = { batch: 250, batchBehind: 1000, restMilliseconds: 20 }

/** Seals audit entries. While another server seals, this one pauses three times as long, so that an entry waits for 10 seconds at most. */
const sealing = ({ seal }: Pick<AuditUseCases, 'seal'>, idleMilliseconds: number): Run => {
  let batch = sealed.batch
  return {
    first: idleMilliseconds * Math.random(),
    once: async () => {
      const sealing = await seal(batch)
      if (sealing._tag === 'Left') return sealing
      const { events, more } = sealing.right
      if (more && events === 0) return E.right(about(3 * idleMilliseconds))
      batch = more ? sealed.batchBehind : sealed.batch
      return E.right(more ? sealed.restMilliseconds : about(idleMilliseconds))
    },
    afterFailure: 3 * idleMilliseconds,
  }
}

export type BackgroundOptions = Readonly<{
  /**
   * Called with every failed run; the chore is tried again later. When absent, a line of JSON on stderr names chore, port and
   * operation.
   */
  onFailure?: BackgroundObserver['onFailure']
  /** Called with the outcome of each attempt to send an e-mail. */
  onEmail?: BackgroundObserver['onEmail']
  /** Called with the number of accounts whose staged data was removed, if it is not 0. */
  onStagedDataRemoved?: BackgroundObserver['onStagedDataRemoved']
  /** Called with the outcome of each attempt to send a message to a webhook. */
  onWebhook?: BackgroundObserver['onWebhook']
  /** E-mails that are sent at one time, 1 to 100; 5 when absent. */
  emailsAtOneTime?: number
  /** About the pause between two runs for kept answers, staged data, and uses of keys; 60 000 when absent. */
  everyMilliseconds?: number
  /** About the pause of sealing when there is nothing to seal; 2000 when absent. */
  sealingMilliseconds?: number
  /** About the pause between two checks for messages to webhooks; 2000 when absent. */
  webhooksMilliseconds?: number
}>

export type BackgroundWork = Readonly<{
  /**
   * Begins nothing more, and resolves when all work has ended. E-mails and webhooks' messages that are still being sent after
   * `milliseconds` (10 000 when absent) are aborted and released. Stores uses of keys a last time after `requestsEnded` has
   * settled, at once when absent. To be called before the database is closed.
   */
  stop(milliseconds?: number, requestsEnded?: Promise<unknown>): Promise<void>
}>

/** The use cases that have to be called repeatedly. */
export type BackgroundUseCases = Pick<
  UseCases,
  'audit' | 'emails' | 'forgetAnswers' | 'noteKeyUses' | 'removeDuePayloads' | 'webhooks'
>

const choresOf = (
  { audit, forgetAnswers, noteKeyUses, removeDuePayloads }: BackgroundUseCases,
  { everyMilliseconds = 60_000, sealingMilliseconds = 2000 }: BackgroundOptions,
  { onStagedDataRemoved }: BackgroundObserver,
): readonly (readonly [Chore, Run])[] => [
  ['api_key_uses', notingKeyUses(noteKeyUses, everyMilliseconds)],
  ['audit', sealing(audit, sealingMilliseconds)],
  ['idempotency_records', forgetting(forgetAnswers, everyMilliseconds)],
  ['staged_data', forgetting(removeDuePayloads, everyMilliseconds, onStagedDataRemoved)],
]

/**
 * Does the background work of the service, until it is stopped: seals audit events, removes kept answers and staged data that are
 * due, stores uses of API keys, and, if the use cases can send them, delivers e-mails and messages to webhooks. A chore runs once
 * at a time; after a failure it is tried again later. Several processes of a service may do so: they share the work.
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

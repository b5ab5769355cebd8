import {
  type Clock,
  type Instant,
  instantOf,
  millisecondsOf,
  type PaymentInstructionDetails,
  type PaymentVerification,
  systemClock,
} from '@account-import/core'
import { backoff, keepablePaymentDetails, slots, withinTime } from '@account-import/core/adapter-kit'
import {
  BrokenCircuitError,
  BulkheadRejectedError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  DelegateBackoff,
  handleWhen,
  retry,
} from 'cockatiel'
import type {
  AskedInstruction,
  ClearAnswer,
  InstructionOf,
  PaymentVendor,
  VendorClient,
} from '../payment-vendors.js'
import { VendorFailure, type OnVendorAsked, vendorTooSlow } from '../vendor-failure.js'

/** The limits of time and number of the requests to a vendor. Times are whole milliseconds. */
export const defaultGuardLimits = {
  /** One try, from the look-up of its name to the last byte. */
  tryMilliseconds: 2200,
  /** All tries and the pauses between them. */
  callMilliseconds: 4500,
  /** Most tries of one call. */
  tries: 3,
  /** Most tries at one time; others wait in the queue as long as there is time for a whole try. */
  concurrentTries: 64,
  /** Most calls of one organisation in the queue. */
  mostWaiting: 256,
  /** The longest first pause; later ones are longer. */
  pauseMilliseconds: 150,
  /** The breaker opens after this number of consecutive tries without a connection, without a response in time, or with a 5xx. */
  breakAfter: 5,
  /** The time for which the open breaker rejects all calls; then one call may try. */
  openMilliseconds: 10_000,
}

type Limits = Readonly<typeof defaultGuardLimits>

/**
 * A fair queue: `concurrentTries` tries run at one time; the others wait, and their organisations take turns. Runs the try of a
 * call that began at `since` (of `performance.now()`) once a slot is free. Rejects with a `BulkheadRejectedError` when no slot
 * became free while there was time for a whole try, or when too many calls of the organisation wait already.
 */
const createQueue = ({ concurrentTries, mostWaiting, callMilliseconds, tryMilliseconds }: Limits) => {
  const free = slots(concurrentTries, mostWaiting)
  return async <A>(
    organisation: string,
    attempt: () => Promise<A>,
    since: number,
    call: AbortSignal,
  ): Promise<A> => {
    const left = callMilliseconds - tryMilliseconds - (performance.now() - since)
    const noTime = AbortSignal.timeout(Math.max(0, Math.floor(left)))
    let hasBegun = false
    try {
      return await free.run(organisation, AbortSignal.any([call, noTime]), () => {
        hasBegun = true
        return attempt()
      })
    } catch (cause) {
      throw hasBegun ? cause : new BulkheadRejectedError(concurrentTries, 0)
    }
  }
}

/**
 * A circuit breaker, so that a failing vendor can recover and callers get an immediate response: opens after `breakAfter`
 * consecutive failures of the vendor; other rejections do not count.
 */
const createBreaker = ({ breakAfter, openMilliseconds }: Limits) => {
  const policy = circuitBreaker(
    handleWhen((cause) => cause instanceof VendorFailure && cause.isOfVendor),
    { halfOpenAfter: openMilliseconds, breaker: new ConsecutiveBreaker(breakAfter) },
  )
  let openedAt = 0
  policy.onBreak(() => {
    openedAt = performance.now()
  })
  return {
    /** Runs the try. Rejects at once with a `BrokenCircuitError` while the breaker is open, or while another call tries. */
    run: async <A>(attempt: () => Promise<A>): Promise<A> => {
      // Cockatiel lets further calls wait for the one that tries; here they are rejected at once.
      if (policy.state === CircuitState.HalfOpen) throw new BrokenCircuitError()
      return policy.execute(attempt)
    },
    /** Milliseconds until a call may try again; 0 when it may try now. */
    remaining: (): number =>
      policy.state === CircuitState.Open ? Math.max(0, openedAt + openMilliseconds - performance.now()) : 0,
  }
}

/** Milliseconds, at least the pause that the vendor requests. */
const pauseBefore = (attempt: number, cause: unknown, first: number): number => {
  const asked = cause instanceof VendorFailure ? (cause.retryAfterSeconds ?? 0) * 1000 : 0
  return Math.max(asked, backoff(attempt, { first }))
}

/** Retries after failures that may pass. Every call only reads, so a lost response does no harm. */
const createRetries = ({ tries, pauseMilliseconds }: Limits) =>
  retry(
    handleWhen((cause) => cause instanceof VendorFailure && cause.isWorthAnotherTry),
    {
      maxAttempts: tries - 1,
      backoff: new DelegateBackoff(({ attempt, result }) =>
        pauseBefore(attempt, 'error' in result ? result.error : undefined, pauseMilliseconds),
      ),
    },
  )

/** The fewest failed calls that mark a vendor as out of reach, over any time. */
const fewestFailures = 5

/**
 * A vendor is persistently out of reach when its last failure is of a lasting kind, or no call has succeeded for
 * `persistentSeconds` (since the last success, or else the first call) and at least 5 have failed since. The state is of this
 * process alone.
 */
const createReach = (clock: Clock, persistentSeconds: number) => {
  const now = (): number => millisecondsOf(clock.now())
  let lastSuccess: number | undefined
  let failures = 0
  let lasts = false
  return {
    succeeded: (): void => {
      lastSuccess = now()
      failures = 0
      lasts = false
    },
    failed: (failure: VendorFailure): void => {
      lastSuccess ??= now()
      failures += 1
      lasts = failure.isLasting
    },
    /** Whether the failure is persistent, so that a retry soon is of no use. */
    isLost: (): boolean =>
      lasts ||
      (failures >= fewestFailures &&
        lastSuccess !== undefined &&
        now() - lastSuccess >= persistentSeconds * 1000),
  }
}

export type GuardOptions = Readonly<{
  /** The system's when absent. */
  clock?: Clock
  /** Seconds without a success after which a vendor counts as out of reach; 600 when absent. */
  persistentSeconds?: number
  limits?: Partial<typeof defaultGuardLimits>
  onAsked?: OnVendorAsked
}>

/** The number of tries of one call, and the last failure. */
type Tries = { count: number; failure?: VendorFailure }

const longestRetryAfter = 3600

const retryAfter = (failure: VendorFailure | undefined, openMilliseconds: number): number => {
  const seconds = Math.max(1, failure?.retryAfterSeconds ?? 0, Math.ceil(openMilliseconds / 1000))
  return Math.min(seconds, longestRetryAfter)
}

/** Milliseconds: the latest time zone is half a day behind UTC. */
const latestZone = 12 * 3600 * 1000

/** Whether the month of expiry, `YYYY-MM`, is over everywhere on earth. False for an unknown month. */
const isExpired = ({ expiry }: PaymentInstructionDetails, now: Instant): boolean =>
  expiry !== undefined && expiry < instantOf(millisecondsOf(now) - latestZone).slice(0, 7)

const settled = (answer: ClearAnswer, clock: Clock): PaymentVerification => {
  if (answer._tag !== 'verified') return answer
  const details = keepablePaymentDetails(answer.details)
  return isExpired(details, clock.now()) ? { _tag: 'not_usable' } : { _tag: 'verified', details }
}

/** Calls `onAsked` after a call has its outcome. */
const reported = async (
  vendor: string,
  verify: () => Promise<PaymentVerification>,
  tries: Tries,
  onAsked: OnVendorAsked | undefined,
): Promise<PaymentVerification> => {
  const begin = performance.now()
  const verified = await verify()
  const milliseconds = Math.round(performance.now() - begin)
  const { _tag: outcome } = verified
  const failure = outcome === 'unavailable' || outcome === 'unreachable' ? tries.failure?.kind : undefined
  onAsked?.({ vendor, outcome, tries: tries.count, milliseconds, ...(failure !== undefined && { failure }) })
  return verified
}

/**
 * A vendor that answers within `callMilliseconds` on any network: each try and the whole call have a time limit, the number of
 * tries at one time is limited, failures that may pass are retried, a breaker rejects at once while the vendor fails, and a
 * lasting failure is `unreachable` rather than `unavailable`. A verified instruction has only details that may be stored, and is
 * not expired.
 */
export const guardedVendor = (client: VendorClient, options: GuardOptions = {}): PaymentVendor => {
  const { clock = systemClock, persistentSeconds = 600, onAsked } = options
  const limits = { ...defaultGuardLimits, ...options.limits }
  const breaker = createBreaker(limits)
  const retries = createRetries(limits)
  const queue = createQueue(limits)
  const reach = createReach(clock, persistentSeconds)

  const tryOnce = async (instruction: AskedInstruction, tries: Tries, call: AbortSignal) => {
    tries.count += 1
    const ask = (signal: AbortSignal): Promise<ClearAnswer> => client.ask(instruction, signal)
    try {
      return await withinTime(limits.tryMilliseconds, ask, vendorTooSlow, call)
    } catch (cause) {
      if (cause instanceof VendorFailure) tries.failure = cause
      throw cause
    }
  }

  const askUntilClear = (
    { organisation, ...instruction }: InstructionOf,
    tries: Tries,
  ): Promise<ClearAnswer> => {
    const since = performance.now()
    const tryAgain = (call: AbortSignal): Promise<ClearAnswer> =>
      retries.execute(async () => {
        // The call may have ended during the pause before this try.
        if (call.aborted) vendorTooSlow()
        // Time in the queue is not the vendor's failure: it neither ends a try nor opens the breaker.
        const attempt = () => breaker.run(() => tryOnce(instruction, tries, call))
        return queue(organisation, attempt, since, call)
      }, call)
    return withinTime(limits.callMilliseconds, tryAgain, vendorTooSlow)
  }

  const noClearAnswer = ({ failure }: Tries): PaymentVerification => {
    if (failure !== undefined) reach.failed(failure)
    return reach.isLost()
      ? { _tag: 'unreachable' }
      : { _tag: 'unavailable', retryAfterSeconds: retryAfter(failure, breaker.remaining()) }
  }

  const verification = async (instruction: InstructionOf, tries: Tries): Promise<PaymentVerification> => {
    try {
      const answer = await askUntilClear(instruction, tries)
      reach.succeeded()
      return settled(answer, clock)
    } catch (cause) {
      if (cause instanceof VendorFailure) tries.failure ??= cause
      // No request was sent: the breaker is open, or the queue too long.
      else if (!(cause instanceof BrokenCircuitError || cause instanceof BulkheadRejectedError)) throw cause
      return noClearAnswer(tries)
    }
  }

  return {
    code: client.code,
    takesReference: (reference) => client.takesReference(reference),
    verify: (instruction) => {
      const tries: Tries = { count: 0 }
      return reported(client.code, () => verification(instruction, tries), tries, onAsked)
    },
  }
}

/** The same vendor; `onAsked` gets each call as one try. For vendors without a guard. */
export const loggedVendor = (vendor: PaymentVendor, onAsked?: OnVendorAsked): PaymentVendor => ({
  ...vendor,
  verify: (instruction) => reported(vendor.code, () => vendor.verify(instruction), { count: 1 }, onAsked),
})

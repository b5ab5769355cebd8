import { type Clock, millisecondsOf, type PaymentVerification, systemClock } from '@account-import/core'
import { keepablePaymentDetails, withinTime } from '@account-import/core/adapter-kit'
import { BrokenCircuitError, BulkheadRejectedError } from 'cockatiel'
import type {
  AskedInstruction,
  ClearAnswer,
  InstructionOf,
  PaymentVendor,
  VendorClient,
} from '../payment-vendor.js'
import { createBreaker, createQueue, createRetries, defaultGuardLimits, type GuardLimits } from './limits.js'
import { isExpired, type OnVendorAsked, VendorFailure, vendorTooSlow } from './vendor-failure.js'

/** Fewer failed calls than this say nothing about a vendor, however much time they cover. */
const fewestFailures = 5

/** The observations of calls to one vendor about whether it can be reached. */
type Reach = Readonly<{
  succeeded(): void
  failed(failure: VendorFailure): void
  /** Whether the trouble is persistent, so that trying again soon is of no use. */
  isLost(): boolean
}>

/**
 * A vendor is out of reach persistently when its last failure lasts by its kind, or no call has succeeded for
 * `persistentSeconds` (counted from the last success, or the first call if there was none) and at least 5 have failed
 * since. Kept in this process alone.
 */
const createReach = (clock: Clock, persistentSeconds: number): Reach => {
  const now = (): number => millisecondsOf(clock.now())
  let lastSuccess: number | undefined
  let failures = 0
  let lasts = false
  return {
    succeeded: () => {
      lastSuccess = now()
      failures = 0
      lasts = false
    },
    failed: (failure) => {
      lastSuccess ??= now()
      failures += 1
      lasts = failure.isLasting
    },
    isLost: () =>
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
  limits?: Partial<GuardLimits>
  onAsked?: OnVendorAsked
}>

/** The tries of one call, and what the last failed one met. */
type Tries = { count: number; failure?: VendorFailure }

const longestRetryAfter = 3600

const retryAfter = (failure: VendorFailure | undefined, openMilliseconds: number): number => {
  const seconds = Math.max(1, failure?.retryAfterSeconds ?? 0, Math.ceil(openMilliseconds / 1000))
  return Math.min(seconds, longestRetryAfter)
}

/** Whether the vendor was not asked at all: the breaker is open, or the queue too long. */
const isAskingNobody = (cause: unknown): boolean =>
  cause instanceof BrokenCircuitError || cause instanceof BulkheadRejectedError

const settled = (answer: ClearAnswer, clock: Clock): PaymentVerification => {
  if (answer._tag !== 'verified') return answer
  const details = keepablePaymentDetails(answer.details)
  return isExpired(details, clock.now()) ? { _tag: 'not_usable' } : { _tag: 'verified', details }
}

/**
 * A vendor that answers within `callMilliseconds` whatever the network does: each try and the whole call have a time
 * limit, the number of tries at one time is limited, failures that may pass are tried again, a breaker answers at once
 * while the vendor fails, and a failure that lasts is `unreachable` rather than `unavailable`. A verified instruction has only
 * details that may be kept, and is not expired.
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
        // Time spent in the queue is not the vendor's failure: it neither ends a try nor opens the breaker.
        const attempt = () => breaker.run(() => tryOnce(instruction, tries, call))
        return queue.run(organisation, attempt, since, call)
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
      else if (!isAskingNobody(cause)) throw cause
      return noClearAnswer(tries)
    }
  }

  return {
    code: client.code,
    takesReference: (reference) => client.takesReference(reference),
    verify: async (instruction) => {
      const begin = performance.now()
      const tries: Tries = { count: 0 }
      const verified = await verification(instruction, tries)
      const isClear = verified._tag !== 'unavailable' && verified._tag !== 'unreachable'
      onAsked?.({
        vendor: client.code,
        outcome: verified._tag,
        tries: tries.count,
        milliseconds: Math.round(performance.now() - begin),
        ...(!isClear && tries.failure !== undefined && { failure: tries.failure.kind }),
      })
      return verified
    },
  }
}

/** The same vendor; each call of it is told, as one try. For vendors that no guard logs. */
export const loggedVendor = (vendor: PaymentVendor, onAsked?: OnVendorAsked): PaymentVendor => ({
  ...vendor,
  verify: async (instruction) => {
    const begin = performance.now()
    const verified = await vendor.verify(instruction)
    const milliseconds = Math.round(performance.now() - begin)
    onAsked?.({ vendor: vendor.code, outcome: verified._tag, tries: 1, milliseconds })
    return verified
  },
})

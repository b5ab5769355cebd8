import {
  type PaymentInstruction,
  type PaymentVendors,
  type PaymentVerification,
  portCall,
} from '@account-import/core'
import { withinTime } from '@account-import/core/adapter-kit'
import { VendorFailure, vendorTooSlow } from './vendor-failure.js'

/** The question to a vendor: its own reference, and the type that the payload names. */
export type AskedInstruction = Omit<PaymentInstruction, 'vendor' | 'organisation'>

/** The same, and for which organisation. */
export type InstructionOf = Omit<PaymentInstruction, 'vendor'>

/** One payment vendor that needs no network, or sees to time limits and retries itself. */
export interface PaymentVendor {
  /** Its code in payloads: 1 to 64 characters, compared exactly. */
  readonly code: string
  /** The organisations that it is bound to; all may use it when absent. */
  readonly organisations?: readonly string[]
  /** Whether a reference can be one of the vendor's. Others are refused without asking. Needs no credentials. */
  takesReference(reference: string): boolean
  /**
   * Whether the instruction exists and can be used. Only reads. The vendor's trouble (time-outs, 5xx, a lost
   * connection) resolves to `unavailable` or `unreachable`; a rejection is a bug in this code.
   */
  verify(instruction: InstructionOf): Promise<PaymentVerification>
}

/** The clear answer of a vendor. */
export type ClearAnswer = Extract<
  PaymentVerification,
  { _tag: 'verified' | 'not_found' | 'not_usable' | 'refused' }
>

/** One vendor over the network: what to write to add another. `guardedVendor` makes a `PaymentVendor` of it. */
export interface VendorClient {
  /** The vendor's code in payloads: 1 to 64 characters, compared exactly. */
  readonly code: string
  /** Whether a reference can be one of the vendor's. Others are refused without asking. Needs no credentials. */
  takesReference(reference: string): boolean
  /**
   * Asks once, without retries. Only reads. The signal says that nobody waits any more. Rejects with a `VendorFailure`
   * when there is no clear answer; any other rejection is a bug in this code.
   */
  ask(instruction: AskedInstruction, signal: AbortSignal): Promise<ClearAnswer>
}

/** The guarantees of the port, also for vendors that see to their time themselves and fail to. */
const mostMilliseconds = 5000

const inTime = async (vendor: PaymentVendor, instruction: InstructionOf): Promise<PaymentVerification> => {
  try {
    return await withinTime(mostMilliseconds, () => vendor.verify(instruction), vendorTooSlow)
  } catch (cause) {
    if (cause instanceof VendorFailure) return { _tag: 'unavailable', retryAfterSeconds: 1 }
    throw cause
  }
}

/**
 * The port that knows these vendors; one that takes longer than 5 seconds is unavailable. Throws a `TypeError` when two
 * have one code, or a code is blank or too long.
 */
export const paymentVendors = (vendors: readonly PaymentVendor[]): PaymentVendors => {
  const byCode = new Map(vendors.map((vendor) => [vendor.code, vendor]))
  if (byCode.size < vendors.length) throw new TypeError('two payment vendors have the same code')
  if ([...byCode.keys()].some((code) => code.trim() === '' || code.length > 64))
    throw new TypeError('the code of a payment vendor has 1 to 64 characters and is not blank')
  const call = portCall('paymentVendors')
  const vendorFor = (code: string, organisation: string): PaymentVendor | undefined => {
    const vendor = byCode.get(code)
    return vendor?.organisations?.includes(organisation) === false ? undefined : vendor
  }
  return {
    isRegistered: (code, organisation) => vendorFor(code, organisation) !== undefined,
    takesReference: (code, reference) => byCode.get(code)?.takesReference(reference) ?? true,
    verify: ({ vendor, ...instruction }) =>
      call('verify', async () => {
        const registered = vendorFor(vendor, instruction.organisation)
        if (registered === undefined) throw new Error('the payment vendor is not registered')
        // Also for hosts that skip the question of the form: nothing else may get into a vendor's paths.
        if (!registered.takesReference(instruction.reference)) return { _tag: 'not_found' }
        return inTime(registered, instruction)
      }),
  }
}

import {
  type PaymentInstruction,
  type PaymentVendors,
  type PaymentVerification,
  portOf,
} from '@account-import/core'
import { withinTime } from '@account-import/core/adapter-kit'
import { VendorFailure, vendorTooSlow } from './vendor-failure.js'

/** The instruction that a vendor verifies: its own reference, and the type in the payload. */
export type AskedInstruction = Omit<PaymentInstruction, 'vendor' | 'organisation'>

/** As `AskedInstruction`, with the organisation. */
export type InstructionOf = Omit<PaymentInstruction, 'vendor'>

/** A payment vendor that needs no network, or has its own time limits and retries. */
export interface PaymentVendor {
  /** Its code in payloads: 1 to 64 characters, compared exactly. */
  readonly code: string
  /** The organisations that it is bound to; all may use it when absent. */
  readonly organisations?: readonly string[]
  /** Whether a reference can be one of the vendor's. Others are refused without a request. Needs no credentials. */
  takesReference(reference: string): boolean
  /**
   * Whether the instruction exists and can be used. Only reads. A failure of the vendor (time-out, 5xx, lost connection) resolves
   * to `unavailable` or `unreachable`; a rejection is a bug in this code.
   */
  verify(instruction: InstructionOf): Promise<PaymentVerification>
}

/** The clear answer of a vendor. */
export type ClearAnswer = Extract<
  PaymentVerification,
  { _tag: 'verified' | 'not_found' | 'not_usable' | 'refused' }
>

/** A vendor over the network, to be implemented for each new vendor. `guardedVendor` makes a `PaymentVendor` of it. */
export interface VendorClient {
  /** The vendor's code in payloads: 1 to 64 characters, compared exactly. */
  readonly code: string
  /** Whether a reference can be one of the vendor's. Others are refused without a request. Needs no credentials. */
  takesReference(reference: string): boolean
  /**
   * Sends one request, without retries. Only reads. The signal is aborted when no caller waits any more. Rejects with a
   * `VendorFailure` when there is no clear answer; any other rejection is a bug in this code.
   */
  ask(instruction: AskedInstruction, signal: AbortSignal): Promise<ClearAnswer>
}

/** The time limit of the port, also for vendors whose own time limits fail. */
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
 * The port of these vendors; a vendor that takes longer than 5 seconds is unavailable. Throws a `TypeError` when two have one
 * code, or a code is blank or too long.
 */
export const paymentVendors = (vendors: readonly PaymentVendor[]): PaymentVendors => {
  const byCode = new Map(vendors.map((vendor) => [vendor.code, vendor]))
  if (byCode.size < vendors.length) throw new TypeError('two payment vendors have the same code')
  if ([...byCode.keys()].some((code) => code.trim() === '' || code.length > 64))
    throw new TypeError('the code of a payment vendor has 1 to 64 characters and is not blank')
  const vendorFor = (code: string, organisation: string): PaymentVendor | undefined => {
    const vendor = byCode.get(code)
    return vendor?.organisations?.includes(organisation) === false ? undefined : vendor
  }
  return {
    isRegistered: (code, organisation) => vendorFor(code, organisation) !== undefined,
    takesReference: (code, reference) => byCode.get(code)?.takesReference(reference) ?? true,
    ...portOf<Pick<PaymentVendors, 'verify'>>('paymentVendors', {
      verify: async ({ vendor, ...instruction }) => {
        const registered = vendorFor(vendor, instruction.organisation)
        if (registered === undefined) throw new Error('the payment vendor is not registered')
        // Also for hosts that do not call `takesReference`: no other text may get into a vendor's paths.
        if (!registered.takesReference(instruction.reference)) return { _tag: 'not_found' }
        return inTime(registered, instruction)
      },
    }),
  }
}

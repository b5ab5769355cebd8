import type { PaymentVerification } from '@account-import/core'
import type { AskedInstruction } from './payment-vendor.js'

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

import type { PaymentInstruction, PaymentVerification } from '@account-import/core'

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

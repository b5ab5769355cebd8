import type { PaymentInstruction, PaymentVerification } from '@account-import/core'

/** One payment vendor: what to write to add another. */
export interface PaymentVendor {
  /** What payloads name it by: 1 to 64 characters, compared exactly. */
  readonly code: string
  /**
   * Whether the instruction exists and can be used. Only reads. The vendor's trouble (time-outs, 5xx, a lost
   * connection) resolves to `no_clear_answer`; a rejection is a fault in this code.
   */
  verify(instruction: Omit<PaymentInstruction, 'vendor'>): Promise<PaymentVerification>
}

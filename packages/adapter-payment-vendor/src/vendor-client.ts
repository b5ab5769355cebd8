import type { PaymentVerification } from '@account-import/core'
import type { VendorFailureKind } from './guard/vendor-failure.js'
import type { AskedInstruction, PaymentVendor } from './payment-vendor.js'

/** One call of a vendor, for the log: nothing of the instruction, of the answer, or of the credentials. */
export type VendorAsked = Readonly<{
  vendor: string
  outcome: PaymentVerification['_tag']
  /** 0 when the open breaker answered, or no slot became free in time. */
  tries: number
  milliseconds: number
  /** What went wrong in the last try, if there was one and the outcome is no clear answer. */
  failure?: VendorFailureKind
}>

export type OnVendorAsked = (asked: VendorAsked) => void

/** What a vendor says once it says something. */
export type ClearAnswer = Extract<
  PaymentVerification,
  { _tag: 'verified' | 'not_found' | 'not_usable' | 'refused' }
>

/** One vendor over the network: what to write to add another. `guardedVendor` makes a `PaymentVendor` of it. */
export interface VendorClient {
  /** What payloads name the vendor by: 1 to 64 characters, compared exactly. */
  readonly code: string
  /** Whether a reference can be one of the vendor's. Others are refused without asking. Needs no credentials. */
  takesReference(reference: string): boolean
  /**
   * Asks once, without retries. Only reads. The signal says that nobody waits any more. Rejects with a `VendorFailure`
   * when there is no clear answer; any other rejection is a bug in this code.
   */
  ask(instruction: AskedInstruction, signal: AbortSignal): Promise<ClearAnswer>
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

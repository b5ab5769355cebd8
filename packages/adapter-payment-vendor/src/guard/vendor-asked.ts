import type { PaymentVerification } from '@account-import/core'
import type { VendorFailureKind } from './vendor-failure.js'

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

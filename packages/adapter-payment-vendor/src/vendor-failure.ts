import type { PaymentVerification } from '@account-import/core'

/**
 * Why there is no clear answer. `lasts`: until somebody does something, so that one of them is enough. `passes`: it may be over in a
 * moment; the others would only get the same answer again. `ofVendor`: a client cannot bring it about by what it asks for. An answer of
 * another form, a redirect, or too many calls may be one client's doing, and must not keep the others from the vendor.
 */
const kinds = {
  /** Its name does not resolve. */
  name: { lasts: true, passes: false, ofVendor: true },
  /** The resolver itself has trouble. */
  name_lookup: { lasts: false, passes: true, ofVendor: true },
  /** TLS refuses its certificate. */
  certificate: { lasts: true, passes: false, ofVendor: true },
  /** It resolves to an address that may not be asked. */
  address: { lasts: true, passes: false, ofVendor: true },
  /** Refused, lost or cut. */
  connection: { lasts: false, passes: true, ofVendor: true },
  /** Too slow. */
  time: { lasts: false, passes: true, ofVendor: true },
  /** It asks for fewer calls. */
  busy: { lasts: false, passes: true, ofVendor: false },
  /** An HTTP status that says nothing about the instruction. */
  status: { lasts: false, passes: true, ofVendor: true },
  redirect: { lasts: false, passes: false, ofVendor: false },
  /** An answer over the limit. */
  size: { lasts: false, passes: false, ofVendor: false },
  /** An answer that is not what was agreed. */
  form: { lasts: false, passes: false, ofVendor: false },
} as const

export type VendorFailureKind = keyof typeof kinds

/** The failure of one try to ask a vendor. Its message holds nothing of the request or the answer. */
export class VendorFailure extends Error {
  readonly kind: VendorFailureKind
  /** The pause that the vendor asks for, in whole seconds of at least 1, if it does. */
  readonly retryAfterSeconds: number | undefined

  constructor(kind: VendorFailureKind, retryAfterSeconds?: number) {
    super(`no clear answer from the payment vendor: ${kind}`)
    this.name = 'VendorFailure'
    this.kind = kind
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** Whether the vendor is persistently out of reach by this alone. */
  get isLasting(): boolean {
    return kinds[this.kind].lasts
  }

  /** Whether it counts towards opening the breaker, which is the same for all clients. */
  get isOfVendor(): boolean {
    return kinds[this.kind].ofVendor
  }

  /** Whether another try may get an answer within the time that a caller waits. */
  get isWorthAnotherTry(): boolean {
    return kinds[this.kind].passes && (this.retryAfterSeconds ?? 0) <= longestWait
  }
}

/** For time limits: says that the vendor was too slow. */
export const vendorTooSlow = (): never => {
  throw new VendorFailure('time')
}

/** Seconds. If a vendor asks for a longer wait, the client is told to come back instead. */
const longestWait = 1

/** Told of one call of a vendor, for the log: nothing of the instruction, of the answer, or of the credentials. */
export type OnVendorAsked = (
  asked: Readonly<{
    vendor: string
    outcome: PaymentVerification['_tag']
    /** 0 when the open breaker answered, or no slot became free in time. */
    tries: number
    milliseconds: number
    /** The failure of the last try, if there was one and the outcome is no clear answer. */
    failure?: VendorFailureKind
  }>,
) => void

import type { PaymentVerification } from '@account-import/core'

/**
 * The reasons for no clear answer. `lasts`: until an operator acts, so that one failure is enough. `passes`: it may end soon, and
 * a retry is useful; other failures would repeat. `ofVendor`: no request of a client can cause it. A response of another form, a
 * redirect, or too many calls may be caused by one client, and must not open the breaker for the others.
 */
const kinds = {
  /** Its name does not resolve. */
  name: { lasts: true, passes: false, ofVendor: true },
  /** The resolver itself has trouble. */
  name_lookup: { lasts: false, passes: true, ofVendor: true },
  /** TLS refuses its certificate. */
  certificate: { lasts: true, passes: false, ofVendor: true },
  /** It resolves to an address that is not allowed. */
  address: { lasts: true, passes: false, ofVendor: true },
  /** Refused, lost or cut. */
  connection: { lasts: false, passes: true, ofVendor: true },
  /** Too slow. */
  time: { lasts: false, passes: true, ofVendor: true },
  /** It responds that there are too many calls. */
  busy: { lasts: false, passes: true, ofVendor: false },
  /** An HTTP status without an outcome for the instruction. */
  status: { lasts: false, passes: true, ofVendor: true },
  redirect: { lasts: false, passes: false, ofVendor: false },
  /** An answer over the limit. */
  size: { lasts: false, passes: false, ofVendor: false },
  /** A response that is not of the agreed form. */
  form: { lasts: false, passes: false, ofVendor: false },
} as const

export type VendorFailureKind = keyof typeof kinds

/** The failure of one request to a vendor. The message contains nothing of the request or the response. */
export class VendorFailure extends Error {
  readonly kind: VendorFailureKind
  /** The pause that the vendor requests, in whole seconds of at least 1; undefined where it requests none. */
  readonly retryAfterSeconds: number | undefined

  constructor(kind: VendorFailureKind, retryAfterSeconds?: number) {
    super(`no clear answer from the payment vendor: ${kind}`)
    this.name = 'VendorFailure'
    this.kind = kind
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** Whether this failure alone makes the vendor persistently unreachable. */
  get isLasting(): boolean {
    return kinds[this.kind].lasts
  }

  /** Whether it counts for the breaker, which all clients share. */
  get isOfVendor(): boolean {
    return kinds[this.kind].ofVendor
  }

  /** Whether a retry may succeed within the time that a caller waits. */
  get isWorthAnotherTry(): boolean {
    return kinds[this.kind].passes && (this.retryAfterSeconds ?? 0) <= longestWait
  }
}

/** For time limits: throws the failure of a slow vendor. */
export const vendorTooSlow = (): never => {
  throw new VendorFailure('time')
}

/** Seconds. If a vendor requests a longer wait, the client is asked to retry instead. */
const longestWait = 1

/** Called after each call of a vendor, for the log: with nothing of the instruction, of the response, or of the credentials. */
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

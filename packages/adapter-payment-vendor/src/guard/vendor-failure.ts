import type { PaymentVerification } from '@account-import/core'

/**
 * Why there is no clear answer. `name`: its name does not resolve; `name_lookup`: the resolver itself has trouble;
 * `certificate`: TLS refuses its certificate; `address`: it resolves to an address that may not be asked; `connection`:
 * refused, lost or cut; `time`: too slow; `busy`: it asks for fewer calls; `status`: an HTTP status that says nothing about
 * the instruction; `redirect`; `size`: an answer over the limit; `form`: an answer that is not what was agreed.
 */
export type VendorFailureKind =
  | 'name'
  | 'name_lookup'
  | 'certificate'
  | 'address'
  | 'connection'
  | 'time'
  | 'busy'
  | 'status'
  | 'redirect'
  | 'size'
  | 'form'

/** Those that last until somebody does something, so that one of them is enough. */
const lasting: ReadonlySet<VendorFailureKind> = new Set(['name', 'certificate', 'address'])

/** Those that may be over in a moment; the others would only get the same answer again. */
const passing: ReadonlySet<VendorFailureKind> = new Set([
  'name_lookup',
  'connection',
  'time',
  'busy',
  'status',
])

/**
 * Those that a client cannot bring about by what it asks for. An answer of another form, a redirect, or too many calls may
 * be one client's doing, and must not keep the others from the vendor.
 */
const ofVendor: ReadonlySet<VendorFailureKind> = new Set([
  'name',
  'name_lookup',
  'certificate',
  'address',
  'connection',
  'time',
  'status',
])

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
    return lasting.has(this.kind)
  }

  /** Whether it counts towards opening the breaker, which is the same for all clients. */
  get isOfVendor(): boolean {
    return ofVendor.has(this.kind)
  }

  /** Whether another try may get an answer within the time that a caller waits. */
  get isWorthAnotherTry(): boolean {
    return passing.has(this.kind) && (this.retryAfterSeconds ?? 0) <= longestWait
  }
}

/** For time limits: says that the vendor was too slow. */
export const vendorTooSlow = (): never => {
  throw new VendorFailure('time')
}

/** Seconds. If a vendor asks for a longer wait, the client is told to come back instead. */
const longestWait = 1

/** One call of a vendor, for the log: nothing of the instruction, of the answer, or of the credentials. */
export type VendorAsked = Readonly<{
  vendor: string
  outcome: PaymentVerification['_tag']
  /** 0 when the open breaker answered, or no slot became free in time. */
  tries: number
  milliseconds: number
  /** The failure of the last try, if there was one and the outcome is no clear answer. */
  failure?: VendorFailureKind
}>

export type OnVendorAsked = (asked: VendorAsked) => void

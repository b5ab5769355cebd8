import type { PaymentInstructionDetails } from '../domain/payment-instruction-details.js'
import type { PortResult } from './port-failure.js'

export type PaymentInstruction = Readonly<{
  /** For the fair queue of organisations that wait for a vendor; not sent to the vendor. */
  organisation: string
  /** Code of the vendor, compared exactly. */
  vendor: string
  /** The vendor's own name for the instruction. */
  reference: string
  /** For example `CARD`. */
  type: string
}>

/**
 * `not_found`: the vendor has no such reference; `not_usable`: the instruction is expired, revoked or of another type;
 * `refused`: the vendor rejects the credentials or the call itself; `unavailable`: the vendor timed out, failed or was too
 * busy, or the connection was lost: the state of the instruction is unknown, and a retry may succeed after
 * `retryAfterSeconds`, a whole number from 1 to 3600; `unreachable`: `unavailable` for so long, or in such a way, that the
 * operator has to act before a retry can succeed.
 */
export type PaymentVerification =
  | Readonly<{ _tag: 'verified'; details: PaymentInstructionDetails }>
  | Readonly<{ _tag: 'not_found' }>
  | Readonly<{ _tag: 'not_usable' }>
  | Readonly<{ _tag: 'refused' }>
  | Readonly<{ _tag: 'unavailable'; retryAfterSeconds: number }>
  | Readonly<{ _tag: 'unreachable' }>

/** The configured payment vendors. */
export interface PaymentVendors {
  /** Whether the organisation may use such a vendor: it is bound to no organisation, or to this one. */
  isRegistered(vendor: string, organisation: string): boolean
  /**
   * Whether a reference has the form of this vendor's, without a call of the vendor. A reference of another form is refused
   * before `verify`, so that no arbitrary text of a client gets into a vendor's paths. True for a vendor that is not registered.
   */
  takesReference(vendor: string, reference: string): boolean
  /**
   * Calls the vendor to check that the instruction exists and can be used. Only reads: nothing is charged or changed, so
   * that a retry does no harm. Answers within 5 seconds. A fault of the vendor is an outcome; a failure is a fault of
   * this service, such as an `unexpected` one for a vendor that is not registered for the organisation.
   */
  verify(instruction: PaymentInstruction): PortResult<PaymentVerification>
}

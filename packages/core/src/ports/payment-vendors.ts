import type { PaymentInstructionDetails } from '../domain/payment-instruction-details.js'
import type { PortResult } from './port-failure.js'

export type PaymentInstruction = Readonly<{
  /** For whom the vendor is asked: organisations that wait for a vendor take turns. The vendor is not told. */
  organisation: string
  /** Code of the vendor, compared exactly. */
  vendor: string
  /** The vendor's own name for the instruction. */
  reference: string
  /** For example `CARD`. */
  type: string
}>

/**
 * `not_found`: the vendor does not know the reference; `not_usable`: known, but expired, revoked or of another
 * type; `refused`: the vendor rejects our credentials or the call itself; `unavailable`: it timed out, failed, was too
 * busy or the connection was lost, so nothing is known about the instruction and it is worth asking again after
 * `retryAfterSeconds`, a whole number from 1 to 3600; `unreachable`: the same for so long, or in such a way, that
 * asking again does not help before the operator has done something.
 */
export type PaymentVerification =
  | Readonly<{ _tag: 'verified'; details: PaymentInstructionDetails }>
  | Readonly<{ _tag: 'not_found' }>
  | Readonly<{ _tag: 'not_usable' }>
  | Readonly<{ _tag: 'refused' }>
  | Readonly<{ _tag: 'unavailable'; retryAfterSeconds: number }>
  | Readonly<{ _tag: 'unreachable' }>

/** The payment vendors that this service is set up for. */
export interface PaymentVendors {
  /** Whether there is such a vendor for the organisation: one that is bound to none, or to this one. */
  isRegistered(vendor: string, organisation: string): boolean
  /**
   * Whether a reference can be one of this vendor's at all; the vendor is not asked. A reference that cannot be one is refused before
   * `verify`, so that no text of a client's own gets into a vendor's paths. True for a vendor that is not registered.
   */
  takesReference(vendor: string, reference: string): boolean
  /**
   * Asks the vendor whether the instruction exists and can be used. Only reads: nothing is charged or changed, so
   * asking again does no harm. Answers within 5 seconds. A fault of the vendor is an outcome; a failure is a
   * fault of this service, such as an `unexpected` one for a vendor that is not registered for the organisation.
   */
  verify(instruction: PaymentInstruction): PortResult<PaymentVerification>
}

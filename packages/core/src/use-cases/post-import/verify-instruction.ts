import { pipe, TE, type TaskEither } from '../../fp.js'
import type { PaymentInstructionRequest } from '../../payloads/payment-instruction-request.js'
import type { Ports } from '../../ports/index.js'
import type { PaymentInstructionDetails } from '../../domain/payment-instruction-details.js'
import type { PaymentVerification } from '../../ports/payment-vendors.js'
import type { PortFailure } from '../../ports/port-failure.js'
import type { PaymentNotVerified } from '../errors.js'
import type { CheckedAddition } from './check-addition.js'

type Asked = Readonly<{ externalAccountNumber: string; importSupplier: string; reference: string }>

const detailsOf =
  (asked: Asked) =>
  (verification: PaymentVerification): TaskEither<PaymentNotVerified, PaymentInstructionDetails> => {
    switch (verification._tag) {
      case 'verified':
        return TE.right(verification.details)
      case 'not_found':
        return TE.left({ _tag: 'PaymentInstructionNotFound', ...asked })
      case 'not_usable':
        return TE.left({ _tag: 'PaymentInstructionNotUsable', ...asked })
      case 'refused':
        return TE.left({ _tag: 'PaymentVendorRefused', ...asked })
      case 'unavailable':
        return TE.left({
          _tag: 'PaymentVendorUnavailable',
          retryAfterSeconds: verification.retryAfterSeconds,
          ...asked,
        })
      case 'unreachable':
        return TE.left({ _tag: 'PaymentVendorUnreachable', ...asked })
    }
  }

/** Asks the vendor, once everything else has been checked. */
export const verifyInstruction =
  ({ paymentVendors }: Pick<Ports, 'paymentVendors'>) =>
  ({
    request,
    key,
  }: CheckedAddition<PaymentInstructionRequest>): TaskEither<
    PaymentNotVerified | PortFailure,
    PaymentInstructionDetails
  > => {
    const { vendor, reference, type } = request
    const { organisation, externalAccountNumber, importSupplier } = key
    return pipe(
      paymentVendors.verify({ organisation, vendor, reference, type }),
      TE.flatMap(detailsOf({ externalAccountNumber, importSupplier, reference })),
    )
  }

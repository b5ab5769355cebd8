import type { PaymentInstructionDetails } from '../domain/payment-instruction-details.js'
import { E, type Either, pipe } from '../fp.js'
import { type PaymentInstructionRequest, paymentInstructionRequest } from '../payloads/requests.js'
import type { Ports } from '../ports/index.js'
import type { PaymentVerification } from '../ports/payment-vendors.js'
import type { PortFailure } from '../ports/port-failure.js'
import { readField } from '../codec/struct.js'
import type { ExtraFinding } from '../validation/check.js'
import type { Submission, WithWarnings } from '../checking/check-payload.js'
import type { PaymentNotVerified, RefusedByPlatform, UseCaseResult } from '../checking/errors.js'
import { inSequence } from '../lists/lists.js'
import {
  type AdditionKind,
  type AdditionRefused,
  checkAddition,
  type CheckedAddition,
  endAddition,
  onCreatedAccount,
} from './addition.js'

export type PaymentInstructionRefused = AdditionRefused | PaymentNotVerified

const detailsOf =
  (asked: Readonly<{ externalAccountNumber: string; importSupplier: string; reference: string }>) =>
  (verification: PaymentVerification): Either<PaymentNotVerified, PaymentInstructionDetails> => {
    switch (verification._tag) {
      case 'verified':
        return E.right(verification.details)
      case 'not_found':
        return E.left({ _tag: 'PaymentInstructionNotFound', ...asked })
      case 'not_usable':
        return E.left({ _tag: 'PaymentInstructionNotUsable', ...asked })
      case 'refused':
        return E.left({ _tag: 'PaymentVendorRefused', ...asked })
      case 'unavailable':
        return E.left({
          _tag: 'PaymentVendorUnavailable',
          retryAfterSeconds: verification.retryAfterSeconds,
          ...asked,
        })
      case 'unreachable':
        return E.left({ _tag: 'PaymentVendorUnreachable', ...asked })
    }
  }

/** Verifies the instruction with the vendor, after all other checks. */
const verifyInstruction =
  ({ paymentVendors }: Pick<Ports, 'paymentVendors'>) =>
  async ({
    request,
    key,
  }: CheckedAddition<PaymentInstructionRequest>): UseCaseResult<
    PaymentNotVerified,
    PaymentInstructionDetails
  > => {
    const { vendor, reference, type } = request
    const { organisation, externalAccountNumber, importSupplier } = key
    return pipe(
      await paymentVendors.verify({ organisation, vendor, reference, type }),
      E.flatMap(detailsOf({ externalAccountNumber, importSupplier, reference })),
    )
  }

type PaymentPorts = Pick<
  Ports,
  'importSuppliers' | 'clock' | 'documents' | 'secrets' | 'settings' | 'unitOfWork' | 'paymentVendors'
>

type Checked = CheckedAddition<PaymentInstructionRequest>

const kind: AdditionKind<PaymentInstructionRequest> = { codec: paymentInstructionRequest }

/** An error if the service is not set up for the payment vendor, or the reference has not the form of that vendor's. */
const vendorFindings = (
  { paymentVendors }: Pick<Ports, 'paymentVendors'>,
  { organisation, payload }: Pick<Submission, 'organisation' | 'payload'>,
): readonly ExtraFinding[] => {
  const vendor = readField(paymentInstructionRequest.fields.vendor.codec, payload, 'vendor')
  if (vendor === undefined) return []
  if (!paymentVendors.isRegistered(vendor, organisation))
    return [{ path: ['vendor'], code: 'payment_vendor_not_registered' }]
  const reference = readField(paymentInstructionRequest.fields.reference.codec, payload, 'reference')
  return reference === undefined || paymentVendors.takesReference(vendor, reference)
    ? []
    : [
        {
          path: ['reference'],
          code: 'invalid',
          limits: { form: 'a reference in the form of this payment vendor' },
        },
      ]
}

/** The account's number, and whether it has the instruction. The lock ends before the vendor is called. */
const lookUp =
  (ports: PaymentPorts) =>
  (checked: Checked): UseCaseResult<PaymentInstructionRefused, { number: string; isKnown: boolean }> =>
    onCreatedAccount(ports)(checked, async (account, { accountPaymentInstructions }) =>
      pipe(
        await accountPaymentInstructions.has(account, checked.request),
        E.map((isKnown) => ({ number: account.platformAccountNumber, isKnown })),
      ),
    )

/** Stores the instruction, unless another request stored it during the call of the vendor. */
const store = (
  ports: PaymentPorts,
  checked: Checked,
  details: PaymentInstructionDetails,
): UseCaseResult<PaymentInstructionRefused, void> => {
  const { vendor, reference, type } = checked.request
  const added = { vendor, reference, type, details, created_at: ports.clock.now() }
  return onCreatedAccount(ports)(checked, async (account, stores) => {
    const isKnown = await stores.accountPaymentInstructions.has(account, checked.request)
    if (E.isLeft(isKnown)) return isKnown
    if (isKnown.right) return E.right(undefined)
    return inSequence<RefusedByPlatform | PortFailure, void>(
      () => stores.accountPaymentInstructions.add(account, added),
      () =>
        endAddition(ports, checked)(stores, account, 'payment_instruction_added', [added], {
          payment_instructions: [added],
        }),
    )
  })
}

/**
 * Adds an instruction that its vendor verifies. The vendor is called after all other checks, and outside of any unit of
 * work, as it may be slow. It is not called for an instruction that the account already has.
 */
export const addPaymentInstruction =
  (ports: PaymentPorts) =>
  async (
    submission: Submission,
  ): UseCaseResult<
    PaymentInstructionRefused,
    Readonly<{ platformAccountNumber: string; reference: string }> & WithWarnings
  > => {
    const checked = await checkAddition(ports)(kind, submission, vendorFindings(ports, submission))
    if (E.isLeft(checked)) return checked
    const { request, warnings } = checked.right
    const found = await lookUp(ports)(checked.right)
    if (E.isLeft(found)) return found
    const answer = { platformAccountNumber: found.right.number, reference: request.reference, warnings }
    if (found.right.isKnown) return E.right(answer)
    const details = await verifyInstruction(ports)(checked.right)
    if (E.isLeft(details)) return details
    return pipe(
      await store(ports, checked.right, details.right),
      E.map(() => answer),
    )
  }

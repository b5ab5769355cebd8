import type { PaymentInstructionDetails } from '../../domain/payment-instruction-details.js'
import { pipe, type TaskEither, TE } from '../../fp.js'
import { type PaymentInstructionRequest, paymentInstructionRequest } from '../../payloads/requests.js'
import type { Ports } from '../../ports/index.js'
import type { PaymentVerification } from '../../ports/payment-vendors.js'
import { type ExtraFinding, readField } from '../../validation/check.js'
import type { Submission, WithWarnings } from '../check-payload.js'
import type { PaymentNotVerified, UseCaseResult } from '../errors.js'
import {
  type AdditionKind,
  type AdditionRefused,
  checkAddition,
  type CheckedAddition,
  onCreatedAccount,
  recordAddition,
} from './addition.js'

export type PaymentInstructionRefused = AdditionRefused | PaymentNotVerified

const detailsOf =
  (asked: Readonly<{ externalAccountNumber: string; importSupplier: string; reference: string }>) =>
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

/** Verifies the instruction with the vendor, after all other checks. */
const verifyInstruction =
  ({ paymentVendors }: Pick<Ports, 'paymentVendors'>) =>
  ({
    request,
    key,
  }: CheckedAddition<PaymentInstructionRequest>): UseCaseResult<
    PaymentNotVerified,
    PaymentInstructionDetails
  > => {
    const { vendor, reference, type } = request
    const { organisation, externalAccountNumber, importSupplier } = key
    return pipe(
      paymentVendors.verify({ organisation, vendor, reference, type }),
      TE.flatMap(detailsOf({ externalAccountNumber, importSupplier, reference })),
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
    onCreatedAccount(ports)(checked, (account, { accountPaymentInstructions }) =>
      pipe(
        accountPaymentInstructions.has(account, checked.request),
        TE.map((isKnown) => ({ number: account.platformAccountNumber, isKnown })),
      ),
    )

/** Stores the instruction, unless another request stored it during the call of the vendor. */
const store =
  (ports: PaymentPorts, checked: Checked) =>
  (details: PaymentInstructionDetails): UseCaseResult<PaymentInstructionRefused, void> => {
    const { vendor, reference, type } = checked.request
    const created_at = ports.clock.now()
    const added = { vendor, reference, type, details, created_at }
    return onCreatedAccount(ports)(checked, (account, stores) =>
      pipe(
        stores.accountPaymentInstructions.has(account, checked.request),
        TE.flatMap((isKnown) =>
          isKnown
            ? TE.right(undefined)
            : pipe(
                stores.accountPaymentInstructions.add(account, added),
                TE.flatMap(() =>
                  recordAddition(ports, checked)(stores, account, 'payment_instruction_added', [added]),
                ),
              ),
        ),
      ),
    )
  }

/**
 * Adds an instruction that its vendor verifies. The vendor is called after all other checks, and outside of any unit of
 * work, as it may be slow. It is not called for an instruction that the account already has.
 */
export const addPaymentInstruction =
  (ports: PaymentPorts) =>
  (
    submission: Submission,
  ): UseCaseResult<
    PaymentInstructionRefused,
    Readonly<{ platformAccountNumber: string; reference: string }> & WithWarnings
  > =>
    pipe(
      checkAddition(ports)(kind, submission, vendorFindings(ports, submission)),
      TE.bindTo('checked'),
      TE.bindW('found', ({ checked }) => lookUp(ports)(checked)),
      TE.tap(({ checked, found }) =>
        found.isKnown
          ? TE.right(undefined)
          : pipe(verifyInstruction(ports)(checked), TE.flatMap(store(ports, checked))),
      ),
      TE.map(({ checked, found }) => ({
        platformAccountNumber: found.number,
        reference: checked.request.reference,
        warnings: checked.warnings,
      })),
    )

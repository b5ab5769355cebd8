import { keepablePaymentDetails } from '../domain/payment-instruction-details.js'
import type { PaymentInstruction, PaymentVendors, PaymentVerification } from '../ports/payment-vendors.js'
import { freshCode } from './builders.js'
import { casesOf, equal, left, right } from './contract-case.js'

/** The port with one registered vendor, and an instruction of it for each outcome that can be tested. */
export type PaymentVendorsSubject = Readonly<{
  paymentVendors: PaymentVendors
  vendor: string
  examples: readonly Readonly<{
    instruction: Omit<PaymentInstruction, 'vendor' | 'organisation'>
    outcome: PaymentVerification['_tag']
  }>[]
  /** References without an instruction, at least one; also with unusual characters. */
  unknown: readonly string[]
}>

const organisation = 'LLUM'

const ask = (subject: PaymentVendorsSubject): Promise<readonly PaymentVerification[]> =>
  Promise.all(
    subject.examples.map(({ instruction }) =>
      right(subject.paymentVendors.verify({ ...instruction, organisation, vendor: subject.vendor })),
    ),
  )

const outcomesOf = (verifications: readonly PaymentVerification[]): readonly string[] =>
  verifications.map(({ _tag }) => _tag)

/** The verifications without the fields that may differ between calls. */
const lasting = (verifications: readonly PaymentVerification[]): readonly unknown[] =>
  verifications.map((verification) =>
    verification._tag === 'verified' ? verification : { _tag: verification._tag },
  )

const isWaitable = (seconds: number): boolean => Number.isInteger(seconds) && seconds >= 1 && seconds <= 3600

/** The contract of every set of payment vendors. */
export const paymentVendorsCases = casesOf<PaymentVendorsSubject>('PaymentVendors', {
  'a vendor is registered under its exact code': async ({ paymentVendors, vendor }) => {
    equal(paymentVendors.isRegistered(vendor, freshCode('ORG')), true)
    for (const other of [
      freshCode('vendor'),
      `${vendor} `,
      vendor.toLowerCase(),
      '',
      'constructor',
      '__proto__',
    ])
      equal(paymentVendors.isRegistered(other, freshCode('ORG')), other === vendor, other)
  },
  'concurrent verifications each get their own outcome, and repeated ones the same': async (subject) => {
    const expected = subject.examples.map(({ outcome }) => outcome)
    equal(expected.includes('verified') && expected.includes('not_found'), true, 'too few examples')
    const first = await ask(subject)
    equal(outcomesOf(first), expected)
    equal(lasting(await ask(subject)), lasting(first))
  },
  'a verified instruction has only details that may be stored, in their forms': async (subject) => {
    for (const verification of await ask(subject)) {
      const details = verification._tag === 'verified' ? verification.details : {}
      equal(details, keepablePaymentDetails(details))
    }
  },
  'an unavailable vendor has the seconds until a retry': async (subject) => {
    for (const verification of await ask(subject))
      if (verification._tag === 'unavailable') equal(isWaitable(verification.retryAfterSeconds), true)
  },
  'an unknown reference is not found, with any characters': async ({
    paymentVendors,
    vendor,
    examples,
    unknown,
  }) => {
    const type = examples[0]?.instruction.type ?? 'CARD'
    equal(unknown.length > 0, true, 'too few references')
    for (const reference of unknown) {
      const verification = await right(paymentVendors.verify({ organisation, vendor, reference, type }))
      equal(verification._tag, 'not_found', JSON.stringify(reference))
    }
  },
  'a call of a vendor that is not registered is a failure, not an outcome': async ({ paymentVendors }) => {
    const asked = paymentVendors.verify({
      organisation,
      vendor: freshCode('vendor'),
      reference: 'x',
      type: 'CARD',
    })
    const { _tag, kind, port, operation } = await left(asked)
    equal([_tag, kind, port, operation], ['PortFailure', 'unexpected', 'paymentVendors', 'verify'])
  },
})

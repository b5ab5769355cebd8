import type { PaymentInstruction, PaymentVendors, PaymentVerification } from '../ports/payment-vendors.js'
import { freshCode } from './builders.js'
import { equal, left, right, type ContractCase } from './contract-case.js'

/** The port with one registered vendor, and an instruction of it for each outcome that it can be brought to. */
export type PaymentVendorsSubject = Readonly<{
  paymentVendors: PaymentVendors
  vendor: string
  examples: readonly Readonly<{
    instruction: Omit<PaymentInstruction, 'vendor'>
    outcome: PaymentVerification['_tag']
  }>[]
}>

const ask = (subject: PaymentVendorsSubject): Promise<readonly PaymentVerification[]> =>
  Promise.all(
    subject.examples.map(({ instruction }) =>
      right(subject.paymentVendors.verify({ ...instruction, vendor: subject.vendor })),
    ),
  )

const outcomesOf = (verifications: readonly PaymentVerification[]): readonly string[] =>
  verifications.map(({ _tag }) => _tag)

/** What `PaymentInstructionDetails` says of each detail. */
const detailForms: Readonly<Record<string, RegExp>> = {
  brand: /\S/,
  last4: /^.{4}$/u,
  expiry: /^\d{4}-(?:0[1-9]|1[0-2])$/,
}

/** What every set of payment vendors promises. */
export const paymentVendorsCases: readonly ContractCase<PaymentVendorsSubject>[] = [
  {
    port: 'PaymentVendors',
    title: 'a vendor is registered under its exact code',
    run: async ({ paymentVendors, vendor }) => {
      equal(paymentVendors.isRegistered(vendor), true)
      for (const other of [
        freshCode('vendor'),
        `${vendor} `,
        vendor.toLowerCase(),
        '',
        'constructor',
        '__proto__',
      ])
        equal(paymentVendors.isRegistered(other), other === vendor, other)
    },
  },
  {
    port: 'PaymentVendors',
    title: 'instructions asked about at the same time each get their own outcome, and the same one again',
    run: async (subject) => {
      const expected = subject.examples.map(({ outcome }) => outcome)
      equal(expected.includes('verified') && expected.includes('not_found'), true, 'too few examples')
      const first = await ask(subject)
      equal(outcomesOf(first), expected)
      equal(await ask(subject), first)
    },
  },
  {
    port: 'PaymentVendors',
    title: 'a verified instruction has only the known details, in their forms',
    run: async (subject) => {
      for (const verification of await ask(subject)) {
        const details = verification._tag === 'verified' ? Object.entries(verification.details) : []
        for (const [name, value] of details) equal(detailForms[name]?.test(value), true, `detail ${name}`)
      }
    },
  },
  {
    port: 'PaymentVendors',
    title: 'asking a vendor that is not registered is a failure, not an outcome',
    run: async ({ paymentVendors }) => {
      const asked = paymentVendors.verify({ vendor: freshCode('vendor'), reference: 'x', type: 'CARD' })
      const { _tag, kind, port, operation } = await left(asked)
      equal([_tag, kind, port, operation], ['PortFailure', 'unexpected', 'paymentVendors', 'verify'])
    },
  },
]

import test from 'ava'
import { makeUseCases, type PaymentVendors, type UseCases } from '@account-import/core'
import type { TaskEither } from '@account-import/core/adapter-kit'
import { inMemoryPaymentVendors } from '@account-import/core/in-memory'
import { sample } from './support/samples.js'
import {
  gasKey,
  left,
  organisation,
  pausing,
  processing,
  right,
  service,
  settableClock,
  staging,
} from './support/service.js'

const names = ['addNotes', 'addHistoricalStatements', 'addPaymentInstruction', 'addTransactions'] as const
type Name = (typeof names)[number]

const samples: Readonly<Record<Name, Record<string, unknown>>> = {
  addNotes: sample('notes'),
  addHistoricalStatements: sample('historical-statements'),
  addPaymentInstruction: sample('payment-instruction'),
  addTransactions: sample('transactions'),
}

const vendors = inMemoryPaymentVendors(
  new Map([
    [
      'SANDBOX',
      new Map([
        [
          String(samples.addPaymentInstruction['reference']),
          { _tag: 'verified', details: { brand: 'visa' } },
        ],
      ]),
    ],
  ]),
)

const make = async (paymentVendors: PaymentVendors = vendors) => {
  const clock = settableClock()
  return { ...(await service({ clock, paymentVendors })), clock }
}

/** With an account that has these fields besides the sample's. */
const withAccount = async (fields: object = {}, paymentVendors?: PaymentVendors) => {
  const made = await make(paymentVendors)
  await right(staging(made.useCases, fields))
  await right(processing(made.useCases))
  const details = async () => {
    const account = await right(made.ports.accounts.find(gasKey))
    if (account === undefined) throw new Error('there is no account')
    return account.details
  }
  return { ...made, details }
}

type Refused = Readonly<{ _tag: string; errors?: readonly Readonly<{ attr: string; code: string }>[] }>

const add = (useCases: UseCases, name: Name, fields: object = {}): TaskEither<Refused, unknown> =>
  useCases[name]({ organisation, payload: { ...samples[name], ...fields } })

for (const name of names) {
  test(`${name}: an account that is not created, or of no supplier, is not found, and none is of a paused one`, async (t) => {
    const { useCases } = await make()
    t.deepEqual<unknown, unknown>(await left(add(useCases, name)), { _tag: 'AccountNotFound' })
    await right(staging(useCases))
    t.deepEqual<unknown, unknown>(await left(add(useCases, name)), { _tag: 'AccountNotFound' })
    const elsewhere = await left(add(useCases, name, { import_supplier: 'NOBODY' }))
    t.deepEqual<unknown, unknown>(elsewhere, { _tag: 'AccountNotFound' })
    await right(pausing(useCases, 'complete'))
    t.deepEqual<unknown, unknown>(await left(add(useCases, name)), { _tag: 'SupplierNotOngoing' })
  })

  test(`${name}: what is not valid is refused before the account is looked for`, async (t) => {
    const { useCases } = await make()
    const refused = await left(add(useCases, name, { external_account_number: '' }))
    t.is(refused._tag, 'RequestFailedValidation')
    t.deepEqual(
      refused.errors?.map(({ attr }) => attr),
      ['external_account_number'],
    )
  })
}

test('statements are added all or none: each that is there already is an error of its own', async (t) => {
  const { useCases, details } = await withAccount()
  const before = (await details()).statements
  const [statement] = samples.addHistoricalStatements['statements'] as readonly object[]
  const named = (statement_id: string, fields: object = {}) => ({ ...statement, statement_id, ...fields })
  const answer = await right(
    useCases.addHistoricalStatements({
      organisation,
      payload: {
        ...samples.addHistoricalStatements,
        statements: [named('A', { gross_amount: 7 }), named('B', { gross_amount: undefined })],
      },
    }),
  )
  t.deepEqual(
    answer.request.statements.map(({ gross_amount }) => gross_amount),
    [7, undefined],
  )
  const added = (await details()).statements.slice(before.length)
  t.deepEqual(
    added.map(({ statement_id, gross_amount }) => [statement_id, gross_amount]),
    [
      ['A', '7.00'],
      ['B', undefined],
    ],
  )
  t.false('gross_amount' in (added[1] ?? {}))
  const statements = [named('C'), named('B'), named('A')]
  const refused = await left(add(useCases, 'addHistoricalStatements', { statements }))
  t.deepEqual(
    refused.errors?.map(({ attr, code }) => `${attr} ${code}`),
    [1, 2].map((index) => `statements.${index}.statement_id historical_statement_already_exists`),
  )
  t.is((await details()).statements.length, before.length + 2)
})

test('an instruction is stored with what its vendor says of it; the same again asks nobody and adds none', async (t) => {
  let asked = 0
  const counting: PaymentVendors = {
    ...vendors,
    verify: (instruction) => {
      asked += 1
      return vendors.verify(instruction)
    },
  }
  const { ports, useCases, details, clock } = await withAccount({}, counting)
  const { platformAccountNumber } = (await right(ports.accounts.find(gasKey))) ?? {}
  const { reference, type, vendor } = samples.addPaymentInstruction
  for (let time = 0; time < 2; time += 1)
    t.deepEqual<unknown, unknown>(await right(add(useCases, 'addPaymentInstruction')), {
      platformAccountNumber,
      reference,
      warnings: [],
    })
  t.deepEqual<unknown, unknown>((await details()).payment_instructions, [
    { vendor, reference, type, details: { brand: 'visa' }, created_at: clock.now() },
  ])
  t.is(asked, 1)
})

test('an instruction that another request stored while the vendor was asked is not stored again', async (t) => {
  const made = await withAccount()
  const during = makeUseCases({
    ...made.ports,
    paymentVendors: {
      ...vendors,
      verify: (asked) => async () => {
        await right(add(made.useCases, 'addPaymentInstruction'))
        return vendors.verify(asked)()
      },
    },
  })
  await right(add(during, 'addPaymentInstruction'))
  t.is((await made.details()).payment_instructions.length, 1)
})

test('an instruction of a vendor that the service has not is an error, beside all others', async (t) => {
  const { useCases } = await withAccount()
  const refused = await left(add(useCases, 'addPaymentInstruction', { vendor: 'OTHER', reference: '' }))
  t.deepEqual(
    refused.errors?.map(({ attr, code }) => `${attr} ${code}`),
    ['vendor payment_vendor_not_registered', 'reference blank'],
  )
  const unreadable = await left(add(useCases, 'addPaymentInstruction', { vendor: 1 }))
  t.deepEqual(
    unreadable.errors?.map(({ attr }) => attr),
    ['vendor'],
  )
})

const transaction = (transaction_id: string, fields: object = {}) => ({
  transaction_id,
  transaction_date: '2025-05-01',
  amount: 1,
  type: 'PAYMENT',
  ...fields,
})

test('where dates may not be moved, the first outside the open period ends the request; those before it stay', async (t) => {
  const { useCases, details } = await withAccount()
  const transactions = [
    transaction('A'),
    transaction('B', { transaction_date: '2020-01-01' }),
    transaction('C'),
  ]
  const payload = { ...samples.addTransactions, transactions }
  const refused = await left(
    useCases.addTransactions({ organisation, payload, forceAddToCurrentStatement: false }),
  )
  t.like(refused, {
    _tag: 'TransactionOutsideOpenPeriod',
    transactionData: { transaction_id: 'B' },
    warnings: [],
  })
  const [ledger] = (await details()).ledgers
  t.is(ledger?.current_statement_transactions.at(-1)?.transaction_id, 'A')
})

test('each transaction that names no ledger of the account is an error of its own, and none is added', async (t) => {
  const { useCases, details } = await withAccount()
  const before = await details()
  const transactions = [
    transaction('A', { ledger_code: 'X' }),
    transaction('B'),
    transaction('C', { ledger_code: 'Y' }),
  ]
  const refused = await left(add(useCases, 'addTransactions', { transactions }))
  t.is(refused._tag, 'RequestFailedValidation')
  t.deepEqual(
    refused.errors?.map(({ attr, code }) => `${attr} ${code}`),
    [0, 2].map((index) => `transactions.${index}.ledger_code ledger_code_does_not_exist`),
  )
  t.deepEqual(await details(), before)
})

const point = {
  identifier: 'P',
  supply_type: 'GAS',
  agreements: [{ tariff_code: 'T', effective_from: '2024-03-01' }],
}
const entry = (day: string, ...starts: readonly string[]) => ({
  supply_address: { country: 'PT' },
  customer_at_supply_address_from_date: day,
  supply_points: starts.map((supply_start_date, index) => ({
    ...point,
    identifier: `P-${index}`,
    supply_start_date,
  })),
})
const firstDays: readonly (readonly [why: string, entries: readonly object[], day: string])[] = [
  ['the earliest start of supply', [entry('2023-01-01', '2024-03-01', '2024-02-01')], '2024-02-01'],
  ['the earliest day at an address without supply', [entry('2023-02-01'), entry('2023-01-01')], '2023-01-01'],
  ['the day of its creation', [], '2025-09-01'],
]
for (const [why, supply_addresses, day] of firstDays)
  test(`the open period of an account without a closing date begins with ${why}`, async (t) => {
    const { useCases } = await withAccount({
      supply_addresses,
      ledgers: [],
      statements: [],
      payment_schedules: [],
    })
    const transactions = [transaction('A', { transaction_date: '2020-01-01' })]
    const payload = { ...samples.addTransactions, transactions }
    const { results } = await right(useCases.addTransactions({ organisation, payload }))
    t.is<string | undefined, string>(results[0]?.transaction_data.transaction_date, day)
  })

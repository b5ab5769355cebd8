import { type AuditEntry, instantOf } from '@account-import/core'
import test from 'ava'
import { everyDetail } from '@account-import/core/contract-tests'
import {
  erasedDetails,
  keepablePaymentDetails,
  removedDetails,
  sealedText,
  undoOutcome,
  withAdded,
} from '@account-import/core/adapter-kit'
import { findingsOf } from '@account-import/core/testing'
import { leastText, organisation, right, sample, service } from './support/service.js'

const [ledger] = everyDetail.ledgers
const [transaction] = everyDetail.transactions_without_ledger
const numbered = (transaction_id: string) => ({ ...transaction, transaction_id })

/** Two ledgers, each with transactions of both periods, one without any, and one transaction without a ledger. */
const details = {
  ...everyDetail,
  ledgers: [
    ...['A', 'B'].map((name) => ({
      ...ledger,
      ledger_code: name,
      current_statement_transactions: [numbered(`${name}-1`), numbered(`${name}-2`)],
      historical_statement_transactions: [numbered(`${name}-0`)],
    })),
    {
      ...ledger,
      ledger_code: 'C',
      current_statement_transactions: [],
      historical_statement_transactions: [],
    },
  ],
  transactions_without_ledger: [numbered('NONE')],
}

test('added items follow those of the account, in the current ones of their ledger', (t) => {
  const { notes, statements, payment_instructions } = details
  const added = withAdded(details, {
    notes,
    statements,
    payment_instructions,
    transactions: [
      { ledger: 1, transaction: numbered('B-9') },
      { ledger: undefined, transaction: numbered('NONE-9') },
      { ledger: 1, transaction: numbered('B-10') },
    ],
  })
  t.deepEqual(added, {
    ...details,
    notes: [...notes, ...notes],
    statements: [...statements, ...statements],
    payment_instructions: [...payment_instructions, ...payment_instructions],
    ledgers: details.ledgers.map((each, place) => ({
      ...each,
      current_statement_transactions: [
        ...each.current_statement_transactions,
        ...(place === 1 ? [numbered('B-9'), numbered('B-10')] : []),
      ],
    })),
    transactions_without_ledger: [numbered('NONE'), numbered('NONE-9')],
  })
  t.deepEqual(withAdded(details, {}), details)
})

test('erasing removes every entry of the lists, and keeps the money of transactions', (t) => {
  const erased = erasedDetails(details)
  t.deepEqual(
    Object.entries(erased).flatMap(([name, value]) => (JSON.stringify(value) === '[]' ? [name] : [])),
    [
      'customers',
      'supply_addresses',
      'notes',
      'payment_schedules',
      'statements',
      'payment_instructions',
      'metadata',
      'references',
    ],
  )
  const { transaction_date, amount, type } = transaction
  const left = { transaction_id: 'erased', transaction_date, amount, type, line_items: [], tax_items: [] }
  t.deepEqual(erased.transactions_without_ledger, [left])
  t.deepEqual(
    erased.ledgers.map(({ ledger_code: code, ledger_balance: balance }) => [code, balance]),
    details.ledgers.map(({ ledger_code: code, ledger_balance: balance }) => [code, balance]),
  )
  t.is(erased.sales_channel, 'erased')
  t.false('billing_name' in erased || 'sales_subchannel' in erased)
  const points = details.supply_addresses.flatMap(({ supply_points }) => supply_points)
  const { customers, supply_addresses, notes, payment_schedules, statements, payment_instructions } = details
  const lists = [customers, supply_addresses, points, points.flatMap(({ agreements }) => agreements), notes]
  const rest = [payment_schedules, statements, payment_instructions, details.metadata, details.references]
  t.deepEqual(removedDetails(details), { rows: [...lists, ...rest].flat().length, transactions: 7 })
  t.deepEqual(removedDetails(erased), { rows: 0, transactions: 0 })
})

for (const [detail, kept, leftOut] of [
  ['brand', ['Visa', 'a'.repeat(255)], ['', '  ', 'a'.repeat(256), 'a\u0000', '4111 1111 1111 1111', 7]],
  ['last4', ['4242', 'ab12'], ['42424', '424', '42 4']],
  ['expiry', ['2030-01', '2030-12', '2030-09'], ['2030-13', '2030-00', '12-2030', '2030-1', '2030-012']],
  ['country', ['ES'], ['es', 'ESP', 'E']],
  ['method', ['card'], [' ', null]],
  ['customerId', ['cus_1'], ['', '\ud800']],
  ['mandateId', ['mandate_1'], ['\t', undefined]],
  ['status', ['active'], [' ', {}]],
] as const)
  test(`${detail} of a vendor's details is kept in its form only`, (t) => {
    const another: Record<string, unknown> = { another: 'x' }
    for (const value of kept)
      t.deepEqual(keepablePaymentDetails({ [detail]: value, ...another }), { [detail]: value })
    for (const value of leftOut) t.deepEqual(keepablePaymentDetails({ [detail]: value }), {}, String(value))
  })

for (const [one, other, reaching] of [
  ['ACME/in', 'OTHER/in', []],
  ['in', 'in', ['A', 'B']],
  ['in', 'in/deeper', ['A']],
  ['in/deeper', 'in', ['B']],
  ['in', 'inner', []],
  ['', 'anything', ['A']],
  ['IN', 'in', ['A', 'B']],
  ['e\u0301', '\u00e9', ['A', 'B']],
  ['in/./a', 'in//a', ['A', 'B']],
  ['in%2Fa', 'in/a', ['A', 'B']],
] as const)
  test(`a supplier with the root "${one}" beside one of another organisation with "${other}": ${reaching.join(' and ') || 'none'} reaches the other's documents`, async (t) => {
    const { ports, useCases } = await service()
    await right(useCases.operator.createOrganisation({ code: 'OTHER' }))
    const [made] = await right(ports.importSuppliers.listAll())
    if (made === undefined) throw new Error('the service has a supplier')
    const create = (organisation: string, code: string, documentRoot: string) =>
      right(
        ports.importSuppliers.create({
          ...made,
          organisation,
          code,
          settings: { ...made.settings, documentRoot },
        }),
      )
    await create('ACME', 'A', one)
    await create('OTHER', 'B', other)
    await create('ACME', 'C', one)
    const found = await right(useCases.operator.listReachingOthers())
    t.deepEqual(
      found.flatMap(({ code }) => (code === 'A' || code === 'B' ? [code] : [])),
      [...reaching],
    )
  })

test('a refused account keeps at most 20 codes and fields, each with its first path and its count', (t) => {
  const errors = Array.from({ length: 30 }, (_, at) => ({ code: 'invalid', attr: `f${at}` }))
  const many = findingsOf([...errors, { code: 'invalid', attr: 'f0' }])
  t.is(many.length, 20)
  t.like(many[0], { attr: 'f0', times: 2 })
  const items = ['customers.3.email', 'customers.7.email'].map((attr) => ({ code: 'invalid', attr }))
  t.deepEqual(findingsOf([...items, { code: 'blank', attr: `k.${'x'.repeat(300)}` }]), [
    { code: 'invalid', field: 'customers[].email', attr: 'customers.3.email', times: 2 },
    { code: 'blank', field: `k.${'x'.repeat(253)}`, attr: `k.${'x'.repeat(253)}`, times: 1 },
  ])
})

test('an account that was erased, or whose e-mail is being sent, is kept with any additions', (t) => {
  const found = { platformAccountNumber: 'P', additions: 1, isErased: false, isEmailBeingSent: true }
  t.deepEqual(undoOutcome(found, true), { _tag: 'kept', reason: 'email_being_sent' })
  t.deepEqual(undoOutcome({ ...found, isErased: true }, true), { _tag: 'kept', reason: 'erased' })
})

test('two blocks that differ in a field of an event, in their events or in their place have different texts to hash', (t) => {
  const whole: AuditEntry = {
    organisation: 'A',
    at: instantOf(0),
    what: 'staged',
    by: { who: 'key 1', requestId: 'r' },
    importSupplier: 'S',
    externalAccountNumber: 'N',
    subject: 'P',
    before: '00',
    after: '11',
  }
  const others: readonly Partial<AuditEntry>[] = [
    { at: instantOf(1) },
    { what: 'restaged' },
    { by: { who: 'key 2', requestId: 'r' } },
    ...['q', undefined].map((requestId) => ({ by: { who: 'key 1', requestId } })),
    ...(['importSupplier', 'externalAccountNumber', 'subject', 'before', 'after'] as const).flatMap((name) =>
      ['other', undefined].map((value) => ({ [name]: value })),
    ),
  ]
  const block = { organisation: 'A', block: 1 }
  const event = { id: '1', entry: whole }
  const texts = [
    sealedText('', block, [event]),
    sealedText('ff', block, [event]),
    sealedText('', { ...block, block: 2 }, [event]),
    sealedText('', { ...block, organisation: 'B' }, [event]),
    sealedText('', block, [{ ...event, id: '2' }]),
    sealedText('', block, []),
    sealedText('', block, [event, event]),
    ...others.map((other) => sealedText('', block, [{ ...event, entry: { ...whole, ...other } }])),
  ]
  t.is(new Set(texts).size, texts.length)
})

type Sent = Readonly<Record<string, unknown> & { amount: number }>

const withTwoPlaces = (transactions: readonly Sent[] | undefined) =>
  transactions?.map((each) => ({ ...each, amount: each.amount.toFixed(2) }))

test('the echo of an account has the sent fields, and amounts of transactions with two places', async (t) => {
  const { useCases } = await service()
  const echoOf = async (payload: object) =>
    (await right(useCases.validateAccount({ organisation, payload }))).account
  const account = sample('gas-account')
  const [ledger] = account['ledgers'] as readonly [Record<string, readonly Sent[] | undefined>]
  const { current_statement_transactions: current, historical_statement_transactions: historical } = ledger
  t.truthy((current ?? historical)?.[0])
  t.deepEqual(await echoOf(account), {
    ...account,
    ledgers: [
      {
        ...ledger,
        ...(current && { current_statement_transactions: withTwoPlaces(current) }),
        ...(historical && { historical_statement_transactions: withTwoPlaces(historical) }),
      },
    ],
  })
  const least = JSON.parse(leastText('N'))
  t.deepEqual(await echoOf(least), least)
})

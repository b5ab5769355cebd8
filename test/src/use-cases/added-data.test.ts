import test from 'ava'
import {
  type ClaimedRequest,
  type FirstAnswer,
  type PaymentVendors,
  portFailure,
  type Ports,
  type UnitOfWork,
  type UseCases,
} from '@account-import/core'
import { noteContent } from '@account-import/core/adapter-kit'
import { E, type Either, makeUseCases } from '@account-import/core/fp'
import { failing, inMemoryPaymentVendors, inMemoryPorts } from '@account-import/core/in-memory'
import {
  gasKey,
  inShort,
  left,
  organisation,
  pausing,
  processing,
  right,
  sample,
  service,
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

const { reference } = samples.addPaymentInstruction
const verified = { _tag: 'verified', details: { brand: 'visa' } } as const
const vendors = inMemoryPaymentVendors(new Map([['SANDBOX', new Map([[String(reference), verified]])]]))

const make = async (yours: Partial<Ports> = {}) => {
  return service({ paymentVendors: vendors, ...yours })
}

/** With an account that has these fields besides the sample's. */
const withAccount = async (fields: object = {}, yours?: Partial<Ports>) => {
  const made = await make(yours)
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

const attrsOf = ({ errors }: Refused) => errors?.map(({ attr }) => attr)

const add = (useCases: UseCases, name: Name, fields: object = {}): Promise<Either<Refused, unknown>> =>
  useCases[name]({ organisation, payload: { ...samples[name], ...fields } })

for (const name of names) {
  test(`${name}: an account that is not created, or of an unknown supplier, is not found, and a paused supplier is refused`, async (t) => {
    const { useCases } = await make()
    const refused = (fields: object = {}) => left(add(useCases, name, fields))
    t.deepEqual(await refused(), { _tag: 'AccountNotFound' })
    await right(staging(useCases))
    t.deepEqual(await refused(), { _tag: 'AccountNotFound' })
    t.deepEqual(await refused({ import_supplier: 'NOBODY' }), { _tag: 'AccountNotFound' })
    await right(pausing(useCases, 'complete'))
    t.deepEqual(await refused(), { _tag: 'SupplierNotOngoing' })
  })

  test(`${name}: a request that is not valid is refused before the account is read`, async (t) => {
    const { useCases } = await make()
    const refused = await left(add(useCases, name, { external_account_number: '' }))
    t.is(refused._tag, 'RequestFailedValidation')
    t.deepEqual(attrsOf(refused), ['external_account_number'])
  })
}

test('statements are added all or none, and each existing one is an error of its own', async (t) => {
  const { useCases, details } = await withAccount()
  const before = (await details()).statements
  const [statement] = samples.addHistoricalStatements['statements'] as readonly object[]
  const named = (statement_id: string, fields: object = {}) => ({ ...statement, statement_id, ...fields })
  const sent = [named('A', { gross_amount: 7 }), named('B', { gross_amount: undefined })]
  const payload = { ...samples.addHistoricalStatements, statements: sent }
  const { request } = await right(useCases.addHistoricalStatements({ organisation, payload }))
  const amountsOf = (statements: readonly { gross_amount?: unknown }[]) =>
    statements.map(({ gross_amount }) => gross_amount)
  t.deepEqual(amountsOf(request.statements), [7, undefined])
  const added = (await details()).statements.slice(before.length)
  const addedIds = added.map(({ statement_id }) => statement_id)
  t.deepEqual(addedIds, ['A', 'B'])
  t.deepEqual(amountsOf(added), ['7.00', undefined])
  t.false('gross_amount' in (added[1] ?? {}))
  const statements = [named('C'), named('B'), named('A')]
  const refused = await left(add(useCases, 'addHistoricalStatements', { statements }))
  t.deepEqual(
    refused.errors?.map(inShort),
    [1, 2].map((index) => `statements.${index}.statement_id historical_statement_already_exists`),
  )
  t.is((await details()).statements.length, before.length + 2)
})

test('an instruction is stored with the details of its vendor, and a repeated one calls no vendor and adds nothing', async (t) => {
  let asked = 0
  const verify: PaymentVendors['verify'] = (instruction) => {
    asked += 1
    return vendors.verify(instruction)
  }
  const { ports, useCases, details, clock } = await withAccount(
    {},
    { paymentVendors: { ...vendors, verify } },
  )
  const { platformAccountNumber } = (await right(ports.accounts.find(gasKey))) ?? {}
  const { type, vendor } = samples.addPaymentInstruction
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

/** The use cases, with work during the call of the vendor. */
const duringVendorCall = ({ ports }: { ports: Ports }, work: () => Promise<unknown>) => {
  const verify: PaymentVendors['verify'] = async (asked) => {
    await work()
    return vendors.verify(asked)
  }
  return makeUseCases({ ...ports, paymentVendors: { ...vendors, verify } })
}

test('an instruction that another request stored during the call of the vendor is not stored again', async (t) => {
  const made = await withAccount()
  const during = duringVendorCall(made, () => right(add(made.useCases, 'addPaymentInstruction')))
  await right(add(during, 'addPaymentInstruction'))
  t.is((await made.details()).payment_instructions.length, 1)
})

test('a vendor is called without a lock, so other requests for the account continue', async (t) => {
  const made = await withAccount()
  const during = duringVendorCall(made, () => right(add(made.useCases, 'addNotes')))
  await right(add(during, 'addPaymentInstruction'))
  const { notes, payment_instructions } = await made.details()
  t.is(payment_instructions.length, 1)
  t.true(notes.some(({ body }) => body === 'Solicita factura en papel.'))
})

test('an instruction whose vendor port fails is not stored, and the failure is the result', async (t) => {
  const paymentVendors = failing(vendors, 'verify', { kind: 'unexpected' })
  const { useCases, details } = await withAccount({}, { paymentVendors })
  t.like(await left(add(useCases, 'addPaymentInstruction')), { _tag: 'PortFailure', kind: 'unexpected' })
  t.deepEqual((await details()).payment_instructions, [])
})

test('a reference that the vendor cannot have issued is refused at its field, without a call of the vendor', async (t) => {
  const paymentVendors = { ...failing(vendors, 'verify'), takesReference: () => false }
  const { useCases, details } = await withAccount({}, { paymentVendors })
  const refused = await left(add(useCases, 'addPaymentInstruction'))
  t.like(refused, { _tag: 'RequestFailedValidation', errors: [{ attr: 'reference', code: 'invalid' }] })
  t.deepEqual((await details()).payment_instructions, [])
})

test('an instruction of a vendor that is not registered is an error beside all others', async (t) => {
  const { useCases } = await withAccount()
  const refused = await left(add(useCases, 'addPaymentInstruction', { vendor: 'OTHER', reference: '' }))
  t.deepEqual(refused.errors?.map(inShort), ['vendor payment_vendor_not_registered', 'reference blank'])
  t.deepEqual(attrsOf(await left(add(useCases, 'addPaymentInstruction', { vendor: 1 }))), ['vendor'])
})

const transaction = (transaction_id: string, fields: object = {}) => ({
  transaction_id,
  transaction_date: '2025-05-01',
  amount: 1,
  type: 'PAYMENT',
  ...fields,
})

test('the first transaction outside the open period ends the request when dates may not be moved, and earlier ones stay', async (t) => {
  const { useCases, details } = await withAccount()
  const early = { transaction_date: '2020-01-01' }
  const transactions = [transaction('A'), transaction('B', early), transaction('C')]
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

test('each transaction of an unknown ledger is an error of its own, and none is added', async (t) => {
  const { useCases, details } = await withAccount()
  const before = await details()
  const [x, y] = [{ ledger_code: 'X' }, { ledger_code: 'Y' }]
  const transactions = [transaction('A', x), transaction('B'), transaction('C', y)]
  const refused = await left(add(useCases, 'addTransactions', { transactions }))
  t.is(refused._tag, 'RequestFailedValidation')
  t.deepEqual(
    refused.errors?.map(inShort),
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
  supply_points: starts.map((supply_start_date, index) => {
    return { ...point, identifier: `P-${index}`, supply_start_date }
  }),
})
const firstDays: readonly (readonly [why: string, entries: readonly object[], day: string])[] = [
  ['the earliest start of supply', [entry('2023-01-01', '2024-03-01', '2024-02-01')], '2024-02-01'],
  ['the earliest day at an address without supply', [entry('2023-02-01'), entry('2023-01-01')], '2023-01-01'],
  ['the day of its creation', [], '2025-09-01'],
]
for (const [why, supply_addresses, day] of firstDays)
  test(`the open period of an account without a closing date begins with ${why}`, async (t) => {
    const none = { ledgers: [], statements: [], payment_schedules: [] }
    const { useCases } = await withAccount({ supply_addresses, ...none })
    const transactions = [transaction('A', { transaction_date: '2020-01-01' })]
    const payload = { ...samples.addTransactions, transactions }
    const { results } = await right(useCases.addTransactions({ organisation, payload }))
    t.is<string | undefined, string>(results[0]?.transaction_data.transaction_date, day)
  })

test('a note repeats one with its body, or without a body its documents, and with its time when it has one', async (t) => {
  const { useCases, details } = await withAccount({ notes: [] })
  const documents = (...paths: readonly string[]) => ({
    document_paths: paths.map((document_path) => ({ document_path })),
  })
  const at = '2024-01-01T00:00:00Z'
  const sent: readonly (readonly [note: object, isNew: boolean])[] = [
    [{ body: 'A' }, true],
    [{ body: 'A' }, false],
    [{ body: 'A', ...documents('a') }, false],
    [{ body: 'a' }, true],
    [documents('a'), true],
    [{ body: ' ', ...documents('a') }, false],
    [documents('a', 'b'), true],
    [{ body: 'A', created_at: at }, true],
    [{ body: 'A', created_at: at }, false],
    [{ body: 'A' }, false],
  ]
  const payload = { ...samples.addNotes, notes: sent.map(([note]) => note) }
  const { notes } = await right(useCases.addNotes({ organisation, payload }))
  const created = notes.map(({ status }) => status === 'NOTE_CREATION_SUCCESS')
  t.deepEqual(
    created,
    sent.map(([, isNew]) => isNew),
  )
  t.deepEqual([notes[0]?.body, notes[4]?.body, notes[5]?.body], ['A', '', ' '])
  t.is<string | undefined, string>(notes.at(-2)?.created_at, '2024-01-01T00:00:00.000Z')
  t.is((await details()).notes.length, 5)
  t.is(noteContent({}), noteContent({ body: ' ', document_paths: [] }))
})

/** The first is in the open period, the second is moved into it, so that a note is pinned. */
const twoTransactions = {
  ...samples.addTransactions,
  transactions: [transaction('T-0'), transaction('T-1', { transaction_date: '2020-01-01' })],
}

test('the note about moved transactions is pinned when an equal note exists that is not', async (t) => {
  const first = await withAccount()
  await right(add(first.useCases, 'addTransactions', twoTransactions))
  const body = (await first.details()).notes.at(-1)?.body ?? ''
  const { clock, details, useCases } = await withAccount()
  await right(add(useCases, 'addNotes', { notes: [{ body }] }))
  clock.pass(1)
  await right(add(useCases, 'addTransactions', twoTransactions))
  const pins = (await details()).notes.filter((each) => each.body === body).map((each) => each.is_pinned)
  t.deepEqual(pins, [false, true])
})

test('an embedding program may leave out the options, and both are on', async (t) => {
  const { useCases } = await withAccount()
  await right(useCases.addTransactions({ organisation, payload: twoTransactions }))
  const again = await right(useCases.addTransactions({ organisation, payload: twoTransactions }))
  t.deepEqual([...new Set(again.results.map(({ status }) => status))], ['TRANSACTION_ALREADY_EXISTS'])
})

const unclear = portFailure('unavailable', 'unitOfWork', 'run', new Error('the answer to COMMIT was lost'))

/** An account, and a database that fails once, after its commit and before its response. */
const withLostCommit = async () => {
  const ports = inMemoryPorts()
  const lost = { next: false }
  const unitOfWork: UnitOfWork = {
    run: async (organisation, work) => {
      const answer = await ports.unitOfWork.run(organisation, work)
      if (!lost.next) return answer
      lost.next = false
      return E.left(unclear)
    },
  }
  return { ...(await withAccount({}, { ...ports, unitOfWork })), lost }
}

const keyed = { organisation, key: 'k', method: 'POST', path: '/v1/x', content: 'a'.repeat(64) }

const unchecked = { organisation, payload: twoTransactions, checkPreviouslyAdded: false }

/** The number of these transactions on the account, in any ledger. */
const countOf = async ({ details }: Pick<Awaited<ReturnType<typeof withAccount>>, 'details'>) =>
  JSON.stringify(await details()).split('"transaction_id":"T-').length - 1

test('a keyed request without the check is added once when its commit was unclear and it is repeated', async (t) => {
  const { lost, details, useCases } = await withLostCommit()
  /** Its statuses in the kept answer; without one, the key is free again. */
  const send = async (): Promise<string> => {
    const first = async (claimed: ClaimedRequest): Promise<FirstAnswer> => {
      const added = await useCases.addTransactions({ ...unchecked, claimed })
      const body = E.isRight(added) ? added.right.results.map(({ status }) => status).join() : added.left._tag
      return { answer: { status: 200, headers: {}, body }, isFinal: E.isRight(added) }
    }
    return (await right(useCases.answerOnce(keyed, first))).answer.body
  }
  lost.next = true
  t.is(await send(), 'PortFailure')
  t.is(await countOf({ details }), 2)
  const known = 'TRANSACTION_ALREADY_EXISTS,TRANSACTION_ALREADY_EXISTS'
  t.deepEqual([await send(), await send()], [known, known])
  t.is(await countOf({ details }), 2)
  await right(useCases.addTransactions(unchecked))
  t.is(await countOf({ details }), 4, 'without a key it is as asked')
})

test('a keyed request that was overtaken adds nothing, and reports that its key is in use', async (t) => {
  const { details, useCases } = await withLostCommit()
  const claimed = { key: { organisation, request: 'r' }, token: 'nobody' }
  t.deepEqual(await left(useCases.addTransactions({ ...unchecked, claimed })), {
    _tag: 'IdempotencyKeyInProgress',
    retryAfterSeconds: 1,
  })
  t.is(await countOf({ details }), 0)
  const { results } = await right(
    useCases.addTransactions({ organisation, payload: twoTransactions, claimed }),
  )
  t.is(results.length, 2, 'with the check no claim is asked for')
})

test('nothing is added when the claim cannot be read', async (t) => {
  const ports = inMemoryPorts()
  const unitOfWork: UnitOfWork = {
    run: (organisation, work) =>
      ports.unitOfWork.run(organisation, (stores) =>
        work({ ...stores, keyedWork: { begin: async () => E.left(unclear) } }),
      ),
  }
  const { useCases, details } = await withAccount({}, { ...ports, unitOfWork })
  const claimed = { key: { organisation, request: 'r' }, token: 't' }
  t.deepEqual(await left(useCases.addTransactions({ ...unchecked, claimed })), unclear)
  t.is(await countOf({ details }), 0)
})

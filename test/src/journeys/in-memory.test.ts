import { paymentVendors, sandboxVendor } from '@account-import/adapter-payment-vendor'
import type { TransactionOptions } from '@account-import/client'
import type { PaymentVendors } from '@account-import/core'
import test from 'ava'
import { answer } from '../support/answers.js'
import { exchangeBulk } from '../support/bulk-exchange.js'
import { failureOf, inShort, successOf } from '../support/results.js'
import { gasAccount, type JsonObject } from '../support/samples.js'
import { freshCode, setUp } from '../support/set-up.js'
import { additionTo, createdAccount, storedDetails } from './support/additions.js'
import type { RawAnswer } from './support/raw-api.js'
import { tokenOf } from './support/token-of.js'
import { openWorld, type World } from './support/world.js'

// Journeys in which a backend has no say.

const base = '/v1/data-import'

/** Everything that names a supplier, asked with the token; what differs by the supplier's own code is made equal. */
const everyAnswer = async (
  { raw, team }: World,
  token: string,
  supplier: string,
): Promise<readonly RawAnswer[]> => {
  const account = gasAccount(supplier, 'A-1')
  const process = {
    external_account_number: 'A-1',
    import_supplier_code: supplier,
    operations_team_name: team,
  }
  const answers = [
    await raw.post(`${base}/validate-account/`, token, account),
    await raw.post(`${base}/account-import-process/create-or-update/`, token, account),
    await raw.post(`${base}/account-import-process/process/`, token, process),
    await raw.post(`${base}/account-import-process/process/`, token, { ...process, dry_run: true }),
    await raw.get(`${base}/account-transfer-status/${supplier}/A-1/`, token),
    await raw.get(`${base}/account-import-summary/${supplier}/`, token),
  ]
  for (const name of ['notes', 'historical-statements', 'payment-instruction', 'transactions'])
    answers.push(
      await raw.post(`${base}/${name}/create/`, token, additionTo(`${name}.json`, supplier, 'A-2')),
    )
  for (const list of ['all', 'pending', 'imported'])
    for (const query of ['', '?limit=10'])
      answers.push(await raw.get(`${base}/${list}-account-import-processes/${supplier}/${query}`, token))
  return answers
}

test("another organisation's supplier answers byte for byte as a supplier that does not exist", async (t) => {
  const world = await openWorld(t)
  const { client, operator, supplier, raw, apiKey, process, stores, key } = world
  for (const number of ['A-1', 'A-2']) await client.stageAccount(gasAccount(supplier, number))
  await process('A-2')
  const held = async () => [
    await answer(stores.accountImports.find(key('A-1'))),
    await answer(stores.accounts.find(key('A-2'))),
  ]
  const before = await held()
  const stranger = await setUp(operator)
  const token = await tokenOf(raw, stranger.apiKey)
  const ofOther = await everyAnswer(world, token, supplier)
  const ofNobody = await everyAnswer(world, token, freshCode('SUP'))
  t.deepEqual(ofOther, ofNobody)
  t.deepEqual(
    ofOther.map(({ status }) => status),
    [400, 400, 400, 400, ...Array<number>(12).fill(404)],
  )
  t.deepEqual(await held(), before)
  const own = await everyAnswer(world, await tokenOf(raw, apiKey), supplier)
  t.is(own.at(-1)?.status, 200, 'the supplier is there for its own organisation')
})

const sent = 'Paga con 4242 4242 4242 4242, caduca 12/28'
const masked = 'Paga con •••• •••• •••• 4242, caduca 12/28'

test('a card number in a note is stored and answered masked, with a warning: staged, in bulk, and added later', async (t) => {
  const world = await openWorld(t)
  const { client, supplier, stores, key, process, baseUrl, raw, apiKey } = world
  const withNote = (number: string): JsonObject => ({
    ...gasAccount(supplier, number),
    notes: [{ body: sent }],
  })
  const staged = successOf(await client.stageAccount(withNote('A-1')))
  const warning = { attr: 'notes.0.body', code: 'card_number_masked' }
  t.deepEqual(staged.warnings, [warning])
  const sending = { baseUrl, token: await tokenOf(raw, apiKey) }
  const bulk = await exchangeBulk('bulkStage', sending, JSON.stringify(withNote('B-1')))
  t.like(bulk.results[0], { status: 201 })
  for (const number of ['A-1', 'B-1']) {
    const found = await answer(stores.accountImports.staged(key(number)))
    t.true(JSON.stringify(found).includes(masked), number)
    t.false(JSON.stringify(found).includes('4242 4242'), number)
  }
  await process('A-1')
  t.deepEqual(
    (await storedDetails(world)).notes.map(({ body }) => body),
    [masked],
  )
  const request = {
    import_supplier: supplier,
    external_account_number: 'A-1',
    notes: [{ body: `${sent}.` }],
  }
  const added = successOf(await client.addNotes(request))
  t.deepEqual([added.body[0]?.body, added.warnings], [`${masked}.`, [warning]])
  const again = successOf(await client.addNotes(request))
  t.deepEqual([again.body[0]?.body, again.body[0]?.status], [`${masked}.`, 'NOTE_ALREADY_EXISTS'])
  t.deepEqual((await storedDetails(world)).notes.map(({ body }) => body).toSorted(), [masked, `${masked}.`])
})

test('a card number as reference, or a reference that cannot be the vendor’s, is refused, as a missing account or a paused supplier is, and nobody is asked', async (t) => {
  let asked = 0
  const sandbox = paymentVendors([
    sandboxVendor(),
    { ...sandboxVendor({ code: 'ACME' }), takesReference: (reference) => /^ref-\d+$/.test(reference) },
  ])
  const verify: PaymentVendors['verify'] = (instruction) => {
    asked += 1
    return sandbox.verify(instruction)
  }
  const world = await openWorld(t, undefined, { ports: { paymentVendors: { ...sandbox, verify } } })
  const { client, operator, supplier } = world
  await createdAccount(world)
  const add = (vendor: string, reference: string, number = 'A-1') => {
    const request = additionTo('payment-instruction.json', supplier, number)
    return client.addPaymentInstruction({ ...request, vendor, reference } as JsonObject)
  }
  const entriesOf = async (...asking: Parameters<typeof add>) => {
    const { status, problem } = failureOf(await add(...asking))
    t.false(JSON.stringify(problem).includes('4242'))
    return [status, problem.code, ...problem.errors.map(({ attr, code }) => `${attr} ${code}`)]
  }
  const refused = (entry: string) => [400, 'request_failed_validation', `reference ${entry}`]
  const cards = ['4242424242424242', '4242 4242 4242 4242', '4242-4242-4242-4242', '3782 822463 10005']
  for (const vendor of ['SANDBOX', 'ACME'])
    for (const card of cards)
      t.deepEqual(await entriesOf(vendor, card), refused('card_number_not_allowed'), card)
  for (const reference of ['x', 'ref-1/../2', '..', 'ref-1 '])
    t.deepEqual(await entriesOf('ACME', reference), refused('invalid'), reference)
  t.deepEqual(await entriesOf('ACME', 'ref-1', 'none'), [404, 'account_not_found'])
  await answer(operator.setSupplierStatus({ code: supplier, status: 'paused' }))
  t.deepEqual(await entriesOf('ACME', 'ref-1'), [400, 'import_supplier_migration_not_ongoing'])
  await answer(operator.setSupplierStatus({ code: supplier, status: 'ongoing' }))
  t.is(asked, 0)
  t.deepEqual((await storedDetails(world)).payment_instructions, [])
  t.is(successOf(await add('ACME', 'ref-1')).status, 201)
  t.is(successOf(await add('SANDBOX', '4242424242424241')).status, 201)
  t.is(asked, 2)
})

const outcomes = [
  ['sandbox-missing-1', '400 payment_instruction_not_found'],
  ['sandbox-unusable-1', '400 payment_instruction_not_usable'],
  ['sandbox-refused-1', '400 payment_vendor_refused'],
  ['sandbox-unavailable-1', '500 payment_vendor_unavailable'],
  ['sandbox-unreachable-1', '400 payment_vendor_unreachable'],
] as const

test('what a vendor, a team, a ledger or the open period refuses is answered with its code, and nothing is stored', async (t) => {
  const world = await openWorld(t)
  const { client, supplier } = world
  await createdAccount(world)
  const before = await storedDetails(world)
  await client.stageAccount(gasAccount(supplier, 'A-2'))
  const request = { import_supplier_code: supplier, external_account_number: 'A-2' }
  const processed = await client.processAccount({ ...request, operations_team_name: 'nobody' })
  t.is(inShort(processed), '400 operations_team_name_does_not_exist')
  const instruction = additionTo('payment-instruction.json', supplier, 'A-1')
  for (const [reference, expected] of outcomes)
    t.is(inShort(await client.addPaymentInstruction({ ...instruction, reference } as JsonObject)), expected)
  const add = (fields: object) => {
    const transaction = { transaction_id: 'T', transaction_date: '2020-01-01', amount: 1, type: 'CREDIT' }
    const transactions = [{ ...transaction, ...fields }]
    const added = { ...additionTo('transactions.json', supplier, 'A-1'), transactions }
    return client.addTransactions(added as JsonObject, { forceAddToCurrentStatement: false })
  }
  t.is(inShort(await add({})), '400 transaction_outside_open_statement_period')
  const { errors } = failureOf(await add({ ledger_code: 'none' })).problem
  t.deepEqual(
    errors.map(({ attr, code }) => `${attr} ${code}`),
    ['transactions.0.ledger_code ledger_code_does_not_exist'],
  )
  t.deepEqual(await storedDetails(world), before)
})

test('a date outside the open period is moved into it: said in the echo, the display note and one pinned note', async (t) => {
  const world = await openWorld(t)
  await createdAccount(world)
  const notesBefore = (await storedDetails(world)).notes
  const today = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Madrid' }).format(
    Date.parse(world.clock.now()),
  )
  const transaction = { amount: 10, type: 'CREDIT', reason: 'IMPORTED_CREDIT' }
  const sent = [
    { transaction_id: 'OLD', transaction_date: '2025-03-31', ...transaction, display_note: 'Abono' },
    { transaction_id: 'IN', transaction_date: '2025-06-01', ...transaction },
    { transaction_id: 'NEW', transaction_date: '9999-12-31', ...transaction, note: 'internal' },
  ]
  const send = async (options: TransactionOptions = {}) => {
    const named = { import_supplier: world.supplier, external_account_number: 'A-1' }
    const added = await world.client.addTransactions({ ...named, transactions: sent } as JsonObject, options)
    return successOf(added).body.results
  }
  const results = await send()
  const sentence = (date: string) =>
    `This transaction was dated ${date} and has been moved into the open statement period.`
  t.deepEqual<unknown, unknown>(
    results.map(({ transaction_data }) => transaction_data),
    [
      {
        ...sent[0],
        transaction_date: '2025-04-01',
        amount: '10.00',
        display_note: `Abono ${sentence('2025-03-31')}`,
      },
      { ...sent[1], amount: '10.00' },
      { ...sent[2], transaction_date: today, amount: '10.00', display_note: sentence('9999-12-31') },
    ],
  )
  t.deepEqual(Object.keys(results[2]?.transaction_data ?? {}).slice(-2), ['display_note', 'note'])
  const { ledgers, notes } = await storedDetails(world)
  t.deepEqual<unknown, unknown>(
    ledgers[0]?.current_statement_transactions.slice(-3).map((each) => each.display_note),
    [`Abono ${sentence('2025-03-31')}`, undefined, sentence('9999-12-31')],
  )
  const [pinned, ...others] = notes.slice(notesBefore.length)
  t.deepEqual(others, [])
  t.true(pinned?.is_pinned)
  const code = ledgers[0]?.ledger_code
  t.deepEqual(pinned?.body?.split('\n'), [
    '2 imported transactions were dated outside the open statement period and have been moved into it:',
    `- OLD: 2025-03-31 → 2025-04-01, ledger ${code}`,
    `- NEW: 9999-12-31 → ${today}, ledger ${code}`,
  ])
  t.deepEqual(new Set((await send()).map(({ status }) => status)), new Set(['TRANSACTION_ALREADY_EXISTS']))
  t.is((await storedDetails(world)).notes.length, notes.length, 'nothing was moved, so nothing is pinned')
  await send({ checkPreviouslyAdded: false })
  const last = (await storedDetails(world)).notes.at(-1)
  t.regex(last?.body ?? '', /- OLD: .*, added again, copy 2\n/)
  t.is((await storedDetails(world)).notes.length, notes.length + 1)
})

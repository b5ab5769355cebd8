import { paymentVendors, sandboxVendor } from '@account-import/adapter-payment-vendor'
import type { PaymentVendors } from '@account-import/core'
import test from 'ava'
import { answer } from '../support/answers.js'
import { exchangeBulk } from '../support/bulk-exchange.js'
import { failureOf, inShort, successOf } from '../support/results.js'
import { gasAccount, type JsonObject } from '../support/samples.js'
import { additionTo, createdAccount, storedDetails } from './support/additions.js'
import { tokenOf } from './support/token-of.js'
import { openWorld } from './support/world.js'

// Journeys in which a backend has no say.

const sent = 'Paga con 4242 4242 4242 4242, caduca 12/28'
const masked = 'Paga con •••• •••• •••• 4242, caduca 12/28'

test('a card number in a note is stored and returned masked with a warning, when it is staged, sent in bulk, or added later', async (t) => {
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
    const found = await answer(stores.accountImports.staged([key(number)]))
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

test('a reference that is a card number or not of the vendor is refused without a call of the vendor, as are a missing account and a paused supplier', async (t) => {
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

const outcomes = {
  'sandbox-missing-1': '400 payment_instruction_not_found',
  'sandbox-unusable-1': '400 payment_instruction_not_usable',
  'sandbox-refused-1': '400 payment_vendor_refused',
  'sandbox-unavailable-1': '500 payment_vendor_unavailable',
  'sandbox-unreachable-1': '400 payment_vendor_unreachable',
}

test('a refusal by vendor, team, ledger or open period has its code, and nothing is stored', async (t) => {
  const world = await openWorld(t)
  const { client, supplier } = world
  await createdAccount(world)
  const before = await storedDetails(world)
  await client.stageAccount(gasAccount(supplier, 'A-2'))
  const request = { import_supplier_code: supplier, external_account_number: 'A-2' }
  const processed = await client.processAccount({ ...request, operations_team_name: 'nobody' })
  t.is(inShort(processed), '400 operations_team_name_does_not_exist')
  const instruction = additionTo('payment-instruction.json', supplier, 'A-1')
  for (const [reference, expected] of Object.entries(outcomes))
    t.is(inShort(await client.addPaymentInstruction({ ...instruction, reference } as JsonObject)), expected)
  const add = (fields: object) => {
    const transaction = { transaction_id: 'T', transaction_date: '2020-01-01', amount: 1, type: 'CREDIT' }
    const transactions = [{ ...transaction, ...fields }]
    const added = { ...additionTo('transactions.json', supplier, 'A-1'), transactions }
    return client.addTransactions(added as JsonObject, { forceAddToCurrentStatement: false })
  }
  t.is(inShort(await add({})), '400 transaction_outside_open_statement_period')
  const { errors } = failureOf(await add({ ledger_code: 'none' })).problem
  t.like(errors, [{ attr: 'transactions.0.ledger_code', code: 'ledger_code_does_not_exist' }])
  t.deepEqual(await storedDetails(world), before)
})

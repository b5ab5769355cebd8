import { paymentVendors, sandboxVendor } from '@account-import/adapter-payment-vendor'
import type { PaymentVendors } from '@account-import/core'
import { answer } from '../../support/answers.js'
import { exchangeBulk } from '../../support/bulk-exchange.js'
import { failureOf, successOf } from '../../support/results.js'
import { gasAccount, type JsonObject } from '../../support/samples.js'
import { additionTo, createdAccount, storedDetails } from '../support/additions.js'
import type { Journey } from '../support/journey.js'
import { tokenOf } from '../support/token-of.js'

const sent = 'Paga con 4242 4242 4242 4242, caduca 12/28'
const masked = 'Paga con •••• •••• •••• 4242, caduca 12/28'

const inNotes: Journey = {
  title:
    'a card number in a note is stored and answered masked, with a warning: staged, in bulk, and added later',
  run: async (t, open) => {
    const world = await open()
    const { client, supplier, stores, key, process, baseUrl, raw, apiKey } = world
    const withNote = (number: string): JsonObject => ({
      ...gasAccount(supplier, number),
      notes: [{ body: sent }],
    })
    const staged = successOf(await client.stageAccount(withNote('A-1')))
    const warning = { attr: 'notes.0.body', code: 'card_number_masked' }
    t.deepEqual(staged.warnings, [warning])
    const token = await tokenOf(raw, apiKey)
    const bulk = await exchangeBulk(
      'bulkStage',
      { baseUrl, token, headers: {} },
      JSON.stringify(withNote('B-1')),
    )
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
  },
}

const asReference: Journey = {
  title:
    'a card number as reference, or a reference that cannot be the vendor’s, is refused and nobody is asked',
  run: async (t, open) => {
    let asked = 0
    const sandbox = paymentVendors([
      sandboxVendor(),
      { ...sandboxVendor({ code: 'ACME' }), takesReference: (reference) => /^ref-\d+$/.test(reference) },
    ])
    const counting: PaymentVendors = {
      ...sandbox,
      verify: (instruction) => {
        asked += 1
        return sandbox.verify(instruction)
      },
    }
    const world = await open({ ports: { paymentVendors: counting } })
    const { client, supplier } = world
    await createdAccount(world)
    const add = (vendor: string, reference: string) =>
      client.addPaymentInstruction({
        ...additionTo('payment-instruction.json', supplier, 'A-1'),
        vendor,
        reference,
      } as JsonObject)
    for (const vendor of ['SANDBOX', 'ACME'])
      for (const reference of [
        '4242424242424242',
        '4242 4242 4242 4242',
        '4242-4242-4242-4242',
        '3782 822463 10005',
      ]) {
        const { status, problem } = failureOf(await add(vendor, reference))
        t.deepEqual([status, problem.code], [400, 'request_failed_validation'])
        t.deepEqual(
          problem.errors.map(({ attr, code }) => `${attr} ${code}`),
          ['reference card_number_not_allowed'],
        )
        t.false(JSON.stringify(problem).includes('4242'), reference)
      }
    for (const reference of ['x', 'ref-1/../2', '..', 'ref-1 '])
      t.deepEqual(
        failureOf(await add('ACME', reference)).problem.errors.map(({ attr, code }) => `${attr} ${code}`),
        ['reference invalid'],
        reference,
      )
    t.is(asked, 0)
    t.deepEqual((await storedDetails(world)).payment_instructions, [])
    t.is(successOf(await add('ACME', 'ref-1')).status, 201)
    t.is(successOf(await add('SANDBOX', '4242424242424241')).status, 201)
    t.is(asked, 2)
  },
}

/** Card numbers must not get into this service. */
export const cardNumberJourneys: readonly Journey[] = [inNotes, asReference]

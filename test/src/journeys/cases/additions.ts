import { paymentVendors, sandboxVendor } from '@account-import/adapter-payment-vendor'
import type { PaymentVendors } from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'
import { answer } from '../../support/answers.js'
import { failureOf, inShort, successOf } from '../../support/results.js'
import { gasAccount, sample, type JsonObject } from '../../support/samples.js'
import { additionTo, createdAccount, storedDetails } from '../support/additions.js'
import type { Journey } from '../support/journey.js'
import { tokenOf } from '../support/token-of.js'

const transaction = {
  transaction_id: 'T-1',
  transaction_date: '2025-06-01',
  amount: 10,
  type: 'CREDIT',
}

/** Data is added to created accounts, once. */
export const additionJourneys: readonly Journey[] = [
  {
    title: 'the sample notes are added once, with pins and documents, and the second time exist already',
    run: async (t, open) => {
      const world = await open()
      const { client, supplier, clock } = world
      await createdAccount(world)
      const before = (await storedDetails(world)).notes
      const request = additionTo('notes.json', supplier, 'A-1')
      const earliest = toWireDatetime(clock.now())
      const first = successOf(await client.addNotes(request))
      const now = first.body[2]?.created_at ?? ''
      t.true(earliest <= now && now <= toWireDatetime(clock.now()), now)
      t.deepEqual([first.status, first.warningsTotal], [201, 0])
      t.deepEqual(first.body, [
        {
          created_at: '2025-05-06T08:00:00Z',
          body: 'Solicita factura en papel.',
          status: 'NOTE_CREATION_SUCCESS',
        },
        {
          created_at: '2025-05-06T08:05:00Z',
          body: 'Aviso: perro en el patio.',
          status: 'NOTE_CREATION_SUCCESS',
        },
        { created_at: now, body: '', status: 'NOTE_CREATION_SUCCESS' },
        {
          created_at: now,
          body: 'Reclamación cerrada; se adjunta la respuesta.',
          status: 'NOTE_CREATION_SUCCESS',
        },
      ])
      const stored = (await storedDetails(world)).notes
      t.deepEqual(stored.slice(0, before.length), before)
      t.deepEqual<unknown, unknown>(stored.slice(before.length + 1, before.length + 3), [
        {
          body: 'Aviso: perro en el patio.',
          document_paths: [],
          created_at: '2025-05-06T08:05:00.000Z',
          is_pinned: true,
          unpin_at: '2025-08-06T08:05:00.000Z',
        },
        {
          document_paths: [{ document_path: 'notes/LEV-G-000123/foto-contador.pdf' }],
          created_at: now.replace('Z', '.000Z'),
          is_pinned: false,
        },
      ])
      clock.advance(100)
      const second = successOf(await client.addNotes(request))
      t.deepEqual(
        second.body,
        first.body.map((note) => ({ ...note, status: 'NOTE_ALREADY_EXISTS' })),
      )
      t.deepEqual((await storedDetails(world)).notes, stored)
    },
  },
  {
    title: 'the sample statements are stored and echoed as sent; the second time each of them is an entry',
    run: async (t, open) => {
      const world = await open()
      const { client, supplier } = world
      await createdAccount(world)
      const before = (await storedDetails(world)).statements
      const request = additionTo('historical-statements.json', supplier, 'A-1')
      const first = successOf(await client.addHistoricalStatements(request))
      t.deepEqual([first.status, first.warningsTotal], [201, 0])
      t.deepEqual<unknown, unknown>(first.body, request)
      const [bill, short] = sample('historical-statements.json')['statements'] as readonly object[]
      const after = (await storedDetails(world)).statements
      t.deepEqual<unknown, unknown>(after, [
        ...before,
        { ...bill, gross_amount: '71.36' },
        { ...short, gross_amount: '68.90' },
      ])
      const { status, problem } = failureOf(await client.addHistoricalStatements(request))
      t.deepEqual([status, problem.code], [400, 'request_failed_validation'])
      t.deepEqual(
        problem.errors.map(({ attr, code }) => `${attr} ${code}`),
        [0, 1].map((index) => `statements.${index}.statement_id historical_statement_already_exists`),
      )
      t.deepEqual((await storedDetails(world)).statements, after)
    },
  },
  {
    title:
      'the sample transactions are added once, echoed with amounts of two places, and the second time exist',
    run: async (t, open) => {
      const world = await open()
      const { client, supplier } = world
      await createdAccount(world)
      const before = await storedDetails(world)
      const request = additionTo('transactions.json', supplier, 'A-1')
      const sent = sample('transactions.json')['transactions'] as readonly JsonObject[]
      const echo = sent.map((each) => ({ ...each, amount: Number(each['amount']).toFixed(2) }))
      const first = successOf(await client.addTransactions(request))
      t.deepEqual([first.status, first.warningsTotal], [201, 0])
      t.deepEqual<unknown, unknown>(
        first.body.results,
        echo.map((transaction_data) => ({ status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data })),
      )
      const after = await storedDetails(world)
      const [ledger] = before.ledgers
      t.deepEqual<unknown, unknown>(after.ledgers[0]?.current_statement_transactions, [
        ...(ledger?.current_statement_transactions ?? []),
        ...echo.map((each) => ({ line_items: [], tax_items: [], ...each })),
      ])
      t.deepEqual(
        { ...after, ledgers: [] },
        { ...before, ledgers: [] },
        'nothing else has changed: no note, no balance',
      )
      t.is(after.ledgers[0]?.ledger_balance, ledger?.ledger_balance)
      const second = successOf(await client.addTransactions(request))
      t.deepEqual<unknown, unknown>(
        second.body.results,
        echo.map((transaction_data) => ({ status: 'TRANSACTION_ALREADY_EXISTS', transaction_data })),
      )
      t.deepEqual(await storedDetails(world), after)
    },
  },
  {
    title:
      'the sample instruction is verified and stored with what the vendor told; again answers the same, asking nobody',
    run: async (t, open) => {
      const sandbox = paymentVendors([sandboxVendor()])
      let asked = 0
      const verify: PaymentVendors['verify'] = (instruction) => {
        asked += 1
        return sandbox.verify(instruction)
      }
      const world = await open({ ports: { paymentVendors: { ...sandbox, verify } } })
      const { client, supplier, stores, key } = world
      await createdAccount(world)
      const request = additionTo('payment-instruction.json', supplier, 'A-1')
      const first = successOf(await client.addPaymentInstruction(request))
      const account = await answer(stores.accounts.find(key('A-1')))
      t.deepEqual(
        [first.status, first.body, first.warningsTotal],
        [
          201,
          { platform_account_number: account?.platformAccountNumber ?? '', reference: 'sandbox-card-000123' },
          0,
        ],
      )
      const stored = (await storedDetails(world)).payment_instructions
      t.is(stored.length, 1)
      t.like(stored[0], { vendor: 'SANDBOX', reference: 'sandbox-card-000123', type: 'CARD' })
      t.like(stored[0]?.details, { brand: 'SANDBOX', last4: '4242', expiry: '2099-12' })
      const second = successOf(
        await client.addPaymentInstruction({ ...request, type: 'CUSTOM' } as JsonObject),
      )
      t.deepEqual([second.status, second.body], [201, first.body])
      t.deepEqual((await storedDetails(world)).payment_instructions, stored)
      t.is(asked, 1)
    },
  },
  {
    title:
      'with keys, each request of an import that changes something is answered again as the first time, and done once',
    run: async (t, open) => {
      const { raw, apiKey, supplier, team, client } = await open()
      const token = await tokenOf(raw, apiKey)
      const base = '/v1/data-import'
      const named = { import_supplier: supplier, external_account_number: 'A-1' }
      const requests: readonly (readonly [path: string, body: JsonObject, status: number])[] = [
        [`${base}/account-import-process/create-or-update/`, gasAccount(supplier, 'A-1'), 201],
        [
          `${base}/account-import-process/process/`,
          { import_supplier_code: supplier, external_account_number: 'A-1', operations_team_name: team },
          201,
        ],
        [`${base}/notes/create/`, { ...named, notes: [{ body: 'Once.' }] }, 201],
        [
          `${base}/transactions/create/?check_previously_added=false`,
          { ...named, transactions: [transaction] },
          201,
        ],
        [`${base}/historical-statements/create/`, { ...named, statements: [] }, 201],
        [
          `${base}/payment-instruction/create/`,
          { ...named, vendor: 'SANDBOX', reference: 'sandbox-1', type: 'CARD' },
          201,
        ],
      ]
      for (const [path, body, status] of requests) {
        const keyed = { 'Idempotency-Key': 'key-1' }
        const first = await raw.post(path, token, body, keyed)
        t.is(first.status, status, first.text)
        const headers = { ...first.headers, 'idempotency-replayed': 'true' }
        t.deepEqual(await raw.post(path, token, body, keyed), { ...first, headers })
        t.false('idempotency-replayed' in first.headers)
      }
      t.is(inShort(await client.transferStatus(supplier, 'A-1')), '200')
    },
  },
]

import { builtInSettings, makeUseCases, type PortFailure, type StorePorts } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { inspect } from 'node:util'
import { gasAccount } from '../support/samples.js'
import { setUp } from '../support/set-up.js'
import { answer, failure } from '../support/answers.js'
import { testDatabases, type Opened } from './support/databases.js'
import { answerClaimOf } from './support/answer-claim.js'
import { accountOf } from './support/account-of.js'
import { keyOf, now } from './support/imports.js'

const { onEach } = testDatabases()

/** No JSON; JSON of a kind that no column holds; and of the right kind, but for what is inside. */
const corrupt = ['{"secret', '"secret"', 'null', '42', '[[["secret"]]]', '[{"secret":"secret"}]']

type Read = (ports: StorePorts) => Promise<PortFailure>

const find: Read = ({ accounts }) => failure(accounts.find(keyOf('A')))
const columns: Readonly<Record<string, Read>> = {
  'customers.account_roles': find,
  'customers.user_details': find,
  'supply_points.atr_tariffs': find,
  'supply_points.readings': find,
  'supply_points.billable_items': find,
  'agreements.contractual_max_power': find,
  'transactions.line_items': find,
  'transactions.tax_items': find,
  'notes.document_paths': find,
  'payment_instructions.details': find,
  'account_metadata.value': find,
  'api_keys.scopes': ({ apiKeys }) => failure(apiKeys.find('key')),
  'import_suppliers.settings': ({ importSuppliers }) => failure(importSuppliers.findByCode('S')),
  'customer_emails.served': ({ outbox }) => failure(outbox.find('E')),
  'kept_answers.headers': ({ keptAnswers }) => failure(keptAnswers.claim(answerClaimOf('R'))),
}

const fill = async ({ ports }: Opened): Promise<void> => {
  const createdAt = now()
  await answer(ports.organisations.create({ code: 'ACME', name: 'Acme', createdAt, disabledAt: undefined }))
  await answer(ports.accounts.create([accountOf('A', 'P-1')]))
  const key = { id: 'key', organisation: 'ACME', name: undefined, secretHash: 'f', scopes: [], createdAt }
  await answer(
    ports.apiKeys.create({ ...key, expiresAt: undefined, revokedAt: undefined, lastUsedAt: undefined }),
  )
  const supplier = { organisation: 'ACME', code: 'S', status: 'ongoing', settings: builtInSettings } as const
  await answer(ports.importSuppliers.create(supplier))
  const email = {
    id: 'E',
    key: keyOf('A'),
    platformAccountNumber: 'P-1',
    language: 'es',
    enqueuedAt: createdAt,
  }
  await answer(ports.outbox.enqueue([email]))
  const claim = answerClaimOf('R')
  await answer(ports.keptAnswers.claim(claim))
  const kept = { status: 201, headers: {}, body: 'whatever it is' }
  await answer(ports.keptAnswers.keep({ ...claim, answer: kept }))
}

onEach(
  'JSON that is not what its column is for is a failure that names the column alone',
  async (t, { open }) => {
    const opened = open({ maxConnections: 1 })
    const { knex, ports } = opened
    await fill(opened)
    for (const [name, read] of Object.entries(columns)) {
      const [table = '', column = ''] = name.split('.')
      const row = (await knex(table).whereNotNull(column).first()) as Readonly<Record<string, unknown>>
      for (const text of corrupt) {
        await knex(table)
          .whereNotNull(column)
          .update({ [column]: text })
        const { kind, cause } = await read(ports)
        t.is(kind, 'unexpected')
        t.true(
          cause instanceof Error && cause.name === 'StoredJsonError' && cause.message.startsWith(`${name} `),
          name,
        )
        t.notRegex(inspect(cause, { depth: 9 }), /secret/, name)
      }
      await knex(table)
        .whereNotNull(column)
        .update({ [column]: row[column] })
    }
  },
)

onEach('every column of JSON text is among those that are corrupted', async (t, { open }) => {
  const opened = open({ maxConnections: 1 })
  await fill(opened)
  const found = new Set<string>()
  for (const table of new Set(Object.keys(columns).map((name) => name.split('.')[0] ?? '')))
    for (const row of (await opened.knex(table)) as readonly Readonly<Record<string, unknown>>[])
      for (const [column, value] of Object.entries(row))
        if (typeof value === 'string' && /^[[{]/.test(value)) found.add(`${table}.${column}`)
  t.deepEqual([...found].sort(), Object.keys(columns).sort())
})

onEach(
  'staged data that is no JSON any more is a failure without a value, and ends its claim',
  async (t, { open }) => {
    const { knex, ports } = open()
    const useCases = makeUseCases(inMemoryPorts(ports))
    const { organisation, supplier, team } = await setUp(useCases.operator)
    await answer(useCases.stageAccount({ organisation, payload: gasAccount(supplier, 'A-1') }))
    await knex('account_imports').update({ payload: '{"secret' })
    const request = {
      import_supplier_code: supplier,
      external_account_number: 'A-1',
      operations_team_name: team,
    }
    const result = await useCases.processAccount({ organisation, payload: request })()
    t.like(result, {
      _tag: 'Left',
      left: { _tag: 'PortFailure', kind: 'unexpected', port: 'accountImports' },
    })
    t.notRegex(inspect(result, { depth: 9 }), /secret/)
    t.is((await knex('account_imports').first('claim_token')).claim_token, null)
    const references = { organisation, importSupplier: supplier, after: undefined, limit: 10 }
    const { cause } = await failure(ports.documentReferences.page(references))
    t.true(cause instanceof Error && cause.message.startsWith('account_imports.payload '))
    t.notRegex(inspect(cause, { depth: 9 }), /secret/)
  },
)

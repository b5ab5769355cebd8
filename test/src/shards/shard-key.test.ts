import { registerEncryptionKey } from '@account-import/adapter-sql'
import { makeUseCases } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { keyRing } from '../verify/support/breaks-of.js'
import { fullJourney } from '../verify/support/journey.js'
import { gasAccount } from '../support/samples.js'
import { setUp } from '../support/set-up.js'
import { answer } from '../support/answers.js'
import { textOf } from '../support/repository.js'
import { testDatabases, type Opened } from '../sql/support/databases.js'
import { now } from '../sql/support/imports.js'

const { onEach, onMariaDb } = testDatabases()

/** Small, the same for every supplier, and seldom changed: each shard has its own copy, or asks the one that has them. */
const referenceTables = [
  'organisations',
  'import_suppliers',
  'operations_teams',
  'operations_team_bindings',
  'api_keys',
  'refresh_tokens',
  'api_key_networks',
  'encryption_keys',
]

/** One for the whole service: the places of the processing limit, and what is used of limits in windows of time. */
const serviceTables = ['processing_slots', 'rate_limits', 'turns']

/** Rows of organisations: a request with an idempotency key is known before its supplier is, and a chain is of all suppliers. */
const organisationTables = ['kept_answers', 'audit_log']

/** Rows of suppliers: whoever touches them says whose they are. */
const shardedTables = [
  'account_imports',
  'accounts',
  'customers',
  'supply_addresses',
  'supply_points',
  'agreements',
  'ledgers',
  'transactions',
  'statements',
  'notes',
  'payment_schedules',
  'payment_instructions',
  'account_references',
  'account_metadata',
  'encrypted_details',
  'customer_emails',
  'audit_unsealed',
]

/** Statements without quotes and aliases, so that a column is named as it is. */
const plain = (sql: string): string =>
  sql
    .replaceAll('`', '')
    .replaceAll(/\b[a-z]\.(?=[a-z_]+)/g, '')
    .replaceAll(/\s+/g, ' ')

/** The tables that a statement names; assignments of an upsert look like one. */
const tablesIn = (sql: string): readonly string[] =>
  [...sql.matchAll(/\b(?:from|into|update|join) \(?([a-z_]+)/gi)].map(([, table = '']) => table.toLowerCase())

/** Names both columns of the shard key beside values, or beside the columns of a row that names them. */
const carriesKey = (sql: string): boolean => {
  if (/^insert into \w+ \((?:\w+, )*organisation, import_supplier\b/i.test(sql)) return true
  if (/^insert into \w+ \(/i.test(sql))
    return /\borganisation\b.*\bimport_supplier\b.*\) (?:values|select)/i.test(sql)
  const parts = sql.split(/\bunion all\b/i)
  return parts.every((part) => /organisation = \?/i.test(part) && /import_supplier = \?/i.test(part))
}

/** What requests ask besides: lists, counts, the status of an account, and answers that are kept. */
const ask = async (ports: Opened['ports'], organisation: string, importSupplier: string): Promise<void> => {
  const { accountImports, auditTrail, keptAnswers } = ports
  const at = now()
  await answer(ports.turns.take({ job: 'job', token: 't', at, endsAt: at }))
  for (const list of ['all', 'pending', 'imported'] as const)
    for (const after of [undefined, 'A-1'])
      await answer(accountImports.page({ organisation, importSupplier, list, after, limit: 10 }))
  const page = { organisation, importSupplier, until: at, limit: 1 }
  const [first] = await answer(accountImports.stagedPage(page))
  if (first === undefined) throw new Error('nothing is staged')
  await answer(accountImports.stagedPage({ ...page, after: first }))
  await answer(accountImports.summary(organisation, importSupplier, at))
  await answer(accountImports.find({ organisation, importSupplier, externalAccountNumber: 'A-1' }))
  const by = { who: 'key 1' }
  await answer(auditTrail.record([{ organisation, importSupplier, at, what: 'notes_added', by }]))
  await answer(auditTrail.sealed({ organisation }, 0, 10))
  const claimed = { key: { organisation, request: 'r' }, token: 't' }
  await answer(keptAnswers.claim({ ...claimed, content: 'c', at, endsAt: at, expiresAt: at }))
  await answer(keptAnswers.release({ ...claimed, at }))
  const kept = { status: 201, headers: {}, body: '{}' }
  await answer(keptAnswers.keep({ ...claimed, answer: kept, expiresAt: at }))
}

onMariaDb('every statement of a request on rows of suppliers says whose they are', async (t, { open }) => {
  const { knex, ports } = open({ keyRing })
  const [rows] = (await knex.raw(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name NOT LIKE 'account_import_migrations%'",
  )) as [readonly { name: string }[]]
  const listed = [...referenceTables, ...serviceTables, ...organisationTables, ...shardedTables]
  t.deepEqual(rows.map(({ name }) => name).toSorted(), listed.toSorted(), 'each table is in one list')
  const page = textOf('docs/how-to/run-on-shards.md')
  t.deepEqual(
    listed.filter((table) => !page.includes(`\`${table}\``)),
    [],
    'each table is on the page',
  )
  t.false(carriesKey('SELECT * FROM accounts WHERE platform_account_number = ?'))
  const statements = new Set<string>()
  knex.on('query', ({ sql }: { sql: string }) => statements.add(plain(sql)))
  await registerEncryptionKey(knex, keyRing)
  const { organisation, supplier } = await fullJourney(knex, keyRing)
  await ask(ports, organisation, supplier)
  const touched = new Set<string>()
  const without: string[] = []
  for (const sql of statements) {
    const tables = tablesIn(sql)
    for (const table of tables) touched.add(table)
    const isSharded = tables.some((table) => shardedTables.includes(table))
    const isOfOrganisation = tables.some((table) => organisationTables.includes(table))
    if (isSharded && !carriesKey(sql)) without.push(sql)
    if (isOfOrganisation && !/organisation = \?|\(organisation, /i.test(sql)) without.push(sql)
  }
  t.deepEqual(without, [])
  t.deepEqual(
    listed.filter((table) => !touched.has(table)).toSorted(),
    ['api_key_networks', 'api_keys', 'rate_limits', 'refresh_tokens'].filter((table) => !touched.has(table)),
    'tables that no statement touched',
  )
})

onEach(
  'what is written together is of one supplier, however many are served at one moment',
  async (t, { open }) => {
    const { knex, ports } = open()
    const useCases = makeUseCases(inMemoryPorts(ports))
    const one = await setUp(useCases.operator)
    const { organisation, team } = one
    const other = 'PONIENTE'
    await answer(useCases.operator.createSupplier({ code: other, organisation }))
    const suppliers = [one.supplier, other]
    const writes: (readonly string[])[] = []
    knex.on('query', ({ sql, bindings }: { sql: string; bindings?: readonly unknown[] }) => {
      const named = suppliers.filter((code) => bindings?.includes(code))
      if (/^\s*(insert|update|delete)/i.test(sql) && named.length > 0) writes.push(named)
    })
    const keys = Array.from({ length: 20 }, (_, index) =>
      suppliers.map((supplier) => ({ supplier, number: `A-${index}` })),
    ).flat()
    await Promise.all(
      keys.map(({ supplier, number }) =>
        answer(useCases.stageAccount({ organisation, payload: gasAccount(supplier, number) })),
      ),
    )
    await Promise.all(
      keys.map(({ supplier, number }) =>
        answer(
          useCases.processAccount({
            organisation,
            payload: {
              import_supplier_code: supplier,
              external_account_number: number,
              operations_team_name: team,
            },
          }),
        ),
      ),
    )
    t.true(writes.length > 0 && writes.length < keys.length * 15, `${writes.length} writes: some go together`)
    t.deepEqual(
      writes.filter((named) => named.length > 1),
      [],
    )
  },
)

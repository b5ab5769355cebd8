import { registerEncryptionKey } from '@account-import/adapter-sql'
import type { BulkLine } from '@account-import/core'
import { E, makeUseCases } from '@account-import/core/fp'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { testDatabases, type Opened } from '../sql/support/databases.js'
import { now } from '../sql/support/imports.js'
import { answer } from '../support/answers.js'
import { textOf } from '../support/repository.js'
import { gasAccount } from '../support/samples.js'
import { setUp, type SetUp } from '../support/set-up.js'
import { keyRing } from '../verify/support/breaks-of.js'
import { fullJourney } from '../verify/support/journey.js'
import { shardedTables } from './support/sharded-databases.js'

const { onEach, onMariaDb } = testDatabases()

/** Small, the same for every supplier, and seldom changed: each shard has its own copy, or reads the one that has them. */
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

/** One for the whole service: processing slots, failed logins, leases, import runs and their webhook events. */
const serviceTables = [
  'processing_slots',
  'rate_limits',
  'leases',
  'import_runs',
  'webhooks',
  'webhook_deliveries',
]

/** Rows of import runs. */
const runTables = ['import_run_failures']

/** Rows of organisations: a request with an idempotency key is known before its supplier is, and a chain is of all suppliers. */
const organisationTables = ['idempotency_records', 'audit_log', 'audit_blocks']

const isSharded = (table: string): boolean => shardedTables.some((name) => name === table)

/** Statements without quotes and aliases, so that a column has its plain name. */
const plain = (sql: string): string =>
  sql
    .replaceAll('`', '')
    .replaceAll(/\b[a-z]\.(?=[a-z_]+)/g, '')
    .replaceAll(/\s+/g, ' ')

/** The tables that a statement names; assignments of an upsert look like one. */
const tablesIn = (sql: string): readonly string[] =>
  [...sql.matchAll(/\b(?:from|into|update|join) \(?([a-z_]+)/gi)].map(([, table = '']) => table.toLowerCase())

const countOf = (sql: string, pattern: RegExp): number => sql.match(pattern)?.length ?? 0

/** How often a column is compared with a value, or with that of another table, which is compared with one itself. */
const timesNamed = (sql: string, column: string): number =>
  countOf(sql, new RegExp(`\\b${column} = (?:\\?|(?:\\w+\\.)?${column}\\b)`, 'gi'))

const isInsert = /^insert into \w+ \(/i
const insertsWithKey = /^insert into \w+ \((?:\w+, )*organisation, import_supplier\b/i
const insertsKeySomewhere = /^insert into \w+ \([^)]*\borganisation\b[^)]*\bimport_supplier\b[^)]*\)/i

/** Names both columns of the shard key once for each sharded table that it reads or changes, and among those of rows it inserts. */
const carriesKey = (sql: string): boolean => {
  const inserts = isInsert.test(sql)
  if (inserts && !insertsWithKey.test(sql) && !insertsKeySomewhere.test(sql)) return false
  const sharded = tablesIn(sql).filter((table) => isSharded(table))
  const compared = sharded.length - (inserts && sharded.length > 0 ? 1 : 0)
  return ['organisation', 'import_supplier'].every((column) => timesNamed(sql, column) >= compared)
}

async function* lines(values: readonly object[]): AsyncGenerator<BulkLine> {
  for (const [index, payload] of values.entries())
    yield { line: index + 1, bytes: 2, json: async () => E.right({ payload }) }
}

/** Bulk requests, and an erasure, of a supplier of their own: no claim of others is waited for. */
const inBulk = async (ports: Opened['ports'], { organisation, team }: SetUp): Promise<void> => {
  const useCases = makeUseCases(inMemoryPorts(ports))
  const supplier = 'PONIENTE'
  await answer(useCases.operator.createSupplier({ code: supplier, organisation }))
  const numbers = ['B-1', 'B-2', 'B-3']
  const payloads = numbers.map((number) => gasAccount(supplier, number))
  const staged = await answer(useCases.bulkStage({ organisation, lines: lines(payloads) }))
  for await (const _ of staged) continue
  const payload = { import_supplier_code: supplier, operations_team_name: team }
  const created = await answer(useCases.bulkProcess({ organisation, payload }))
  for await (const _ of created) continue
  const key = { organisation, importSupplier: supplier, externalAccountNumber: 'B-1' }
  const { _tag } = await answer(ports.personalData.erase(key, now()))
  if (_tag !== 'erased') throw new Error(`erasing gave ${_tag}`)
}

/** The other requests: lists, counts, the status of an account, and idempotency records. */
const ask = async (ports: Opened['ports'], organisation: string, importSupplier: string): Promise<void> => {
  const { accountImports, auditTrail, idempotencyRecords, importRuns, webhooks } = ports
  const at = now()
  await answer(webhooks.due(at, 1))
  await answer(ports.leases.take({ job: 'job', token: 't', at, endsAt: at }))
  for (const list of ['all', 'pending', 'imported'] as const)
    for (const after of [undefined, 'A-1'])
      await answer(accountImports.page({ organisation, importSupplier, list, after, limit: 10 }))
  const page = { organisation, importSupplier, until: at, limit: 1 }
  const [first] = await answer(accountImports.stagedPage(page))
  if (first === undefined) throw new Error('nothing is staged')
  await answer(accountImports.stagedPage({ ...page, after: first }))
  await answer(accountImports.summary(organisation, importSupplier, at))
  const key = { organisation, importSupplier, externalAccountNumber: 'A-1' }
  await answer(accountImports.find(key))
  await answer(accountImports.sameData([{ key, payload: '{}' }]))
  const run = { id: 'r1', organisation, importSupplier, label: 'l', source: undefined, startedBy: 'key 1' }
  const times = {
    startedAt: at,
    latestRequestAt: at,
    latestProgressAt: at,
    finishedAt: undefined,
    undone: undefined,
    totals: undefined,
    failuresRemovedAt: undefined,
  }
  await answer(importRuns.open({ ...run, ...times }))
  await answer(importRuns.touch(organisation, 'r1', at, true))
  const failure = { code: 'parse_error', findings: [] }
  const outcomes = [{ line: 1, externalAccountNumber: undefined, failure }]
  await answer(importRuns.record({ run: 'r1', step: 'stage', at, outcomes }))
  const known = { organisation, importSupplier }
  await answer(importRuns.hasFailures({ ...run, ...times }, ['A-1']))
  for (const after of [undefined, { externalAccountNumber: 'A', line: '' }])
    await answer(importRuns.openFailures({ ...known, after, limit: 10 }))
  await answer(importRuns.openFailureCounts(known))
  const places = [{ externalAccountNumber: '', line: 'r1 1' }]
  await answer(importRuns.dismissFailures({ ...known, places, reason: 'r', at, by: undefined }))
  for (const after of [undefined, { step: 'process', line: 0, externalAccountNumber: '' } as const])
    await answer(importRuns.failures({ run: 'r1', after, limit: 10 }))
  await answer(importRuns.counts({ ...run, ...times }))
  await answer(importRuns.totals([{ ...run, ...times }]))
  await answer(importRuns.createdAccounts({ organisation, importSupplier, run: 'r1', after: 'A', limit: 10 }))
  await answer(importRuns.page({ organisation, importSupplier, after: undefined, limit: 10 }))
  await answer(importRuns.finish(organisation, 'r1', at))
  await answer(importRuns.removeFailures({ organisation, importSupplier, until: at, at, limit: 10 }))
  const by = { who: 'key 1' }
  await answer(auditTrail.record([{ organisation, importSupplier, at, what: 'notes_added', by }]))
  await answer(auditTrail.events({ organisation, importSupplier }, undefined, 10))
  await answer(auditTrail.chain(organisation, undefined, 10))
  const claimed = { key: { organisation, request: 'r' }, token: 't' }
  await answer(idempotencyRecords.claim({ ...claimed, content: 'c', at, endsAt: at, expiresAt: at }))
  await answer(idempotencyRecords.release({ ...claimed, at }))
  const kept = { status: 201, headers: {}, body: '{}' }
  await answer(idempotencyRecords.keep({ ...claimed, answer: kept, expiresAt: at }))
}

onMariaDb('every statement of a request on rows of suppliers names the supplier', async (t, { open }) => {
  const { knex, ports } = open({ keyRing })
  const [rows] = (await knex.raw(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name NOT LIKE 'account_import_migrations%'",
  )) as [readonly { name: string }[]]
  const listed = [...referenceTables, ...serviceTables, ...organisationTables, ...runTables, ...shardedTables]
  t.deepEqual(rows.map(({ name }) => name).toSorted(), listed.toSorted(), 'each table is in one list')
  const page = textOf('docs/how-to/run-on-shards.md')
  t.deepEqual(
    listed.filter((table) => !page.includes(`\`${table}\``)),
    [],
    'each table is on the page',
  )
  const one = 'organisation = ? AND import_supplier = ?'
  t.true(carriesKey(`SELECT * FROM account_imports WHERE ${one}`))
  for (const sql of [
    'SELECT * FROM account_imports WHERE platform_account_number = ?',
    `SELECT * FROM account_imports LEFT JOIN account_items ON id = id WHERE ${one}`,
    `SELECT * FROM account_imports WHERE ${one} UNION SELECT * FROM account_items`,
    `INSERT INTO account_items (organisation, import_supplier) SELECT ?, ? FROM account_imports`,
  ])
    t.false(carriesKey(sql), sql)
  const statements = new Set<string>()
  knex.on('query', ({ sql }: { sql: string }) => statements.add(plain(sql)))
  await registerEncryptionKey(knex, keyRing)
  const made = await fullJourney(knex, keyRing)
  await ask(ports, made.organisation, made.supplier)
  await inBulk(ports, made)
  const touched = new Set<string>()
  const without: string[] = []
  for (const sql of statements) {
    const tables = tablesIn(sql)
    for (const table of tables) touched.add(table)
    const isOfSupplier = tables.some(isSharded)
    const isOfOrganisation = tables.some((table) => organisationTables.includes(table))
    if (isOfSupplier && !carriesKey(sql)) without.push(sql)
    if (
      tables.some((table) => runTables.includes(table)) &&
      !/import_run (?:= \?|IN \()|\(import_run, /i.test(sql)
    )
      without.push(sql)
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
  'rows that are written together belong to one supplier, for any number of concurrent requests',
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
    const process = ({ supplier, number }: (typeof keys)[number]) => {
      const names = { import_supplier_code: supplier, operations_team_name: team }
      const payload = { ...names, external_account_number: number }
      return answer(useCases.processAccount({ organisation, payload }))
    }
    await Promise.all(keys.map(process))
    t.true(writes.length > 0 && writes.length < keys.length * 15, `${writes.length} writes: some go together`)
    t.deepEqual(
      writes.filter((named) => named.length > 1),
      [],
    )
  },
)

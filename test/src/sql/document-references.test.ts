import { answer } from '../support/answers.js'
import { testDatabases, type Opened } from './support/databases.js'
import { rowsRead } from './support/rows-read.js'

const { onSqlite, onMariaDb, onServers } = testDatabases()

const suppliers = ['LEVANTE', 'PONIENTE']
const imports = 6000

const importRow = (import_supplier: string, index: number) => ({
  organisation: 'ACME',
  import_supplier,
  external_account_number: `A-${String(index).padStart(6, '0')}`,
})

const accountRow = (import_supplier: string, index: number) => ({
  organisation: 'ACME',
  import_supplier,
  platform_account_number: `P-${import_supplier}-${index}`,
  ordinal: 0,
})

const isCreated = (index: number): boolean => index % 2 === 0

const rowsOf = (supplier: string, indexes: readonly number[]) => ({
  account_imports: indexes.map((index) => ({
    ...importRow(supplier, index),
    staged_version: 1,
    state: isCreated(index) ? 'created' : 'staged',
    skipped: 0,
    holds_slot: 0,
    attempts: 0,
    platform_account_number: isCreated(index) ? `P-${supplier}-${index}` : null,
    payload: JSON.stringify({ notes: [{ document_paths: [{ document_path: `staged-${index}.pdf` }] }] }),
  })),
  notes: indexes.filter(isCreated).map((index) => ({
    ...accountRow(supplier, index),
    document_paths: JSON.stringify([{ document_path: `note-${index}.pdf` }]),
    created_at: '2026-11-21 02:15:13.123',
    is_pinned: 0,
  })),
  statements: indexes.filter(isCreated).map((index) => ({
    ...accountRow(supplier, index),
    bill_period_from_date: '2024-01-01',
    bill_period_to_date: '2024-01-31',
    statement_path: `statement-${index}.pdf`,
    statement_id: 'S',
  })),
})

/** Imports of two suppliers, every second one created. */
const fill = async ({ knex }: Opened): Promise<void> => {
  for (const supplier of suppliers)
    for (let start = 0; start < imports; start += 500) {
      const indexes = Array.from({ length: 500 }, (_, offset) => start + offset)
      for (const [table, rows] of Object.entries(rowsOf(supplier, indexes))) await knex(table).insert(rows)
    }
}

type Sent = Readonly<{ sql: string; bindings: readonly string[] }>

const pageOf = ({ ports }: Opened, after: string | undefined) =>
  answer(
    ports.documentReferences.page({ organisation: 'ACME', importSupplier: 'LEVANTE', after, limit: 100 }),
  )

/** The statements that a page sends. */
const statementsOf = async (opened: Opened, after: string | undefined): Promise<readonly Sent[]> => {
  const sent: Sent[] = []
  const listen = (query: Sent): void => void sent.push(query)
  opened.knex.on('query', listen)
  const page = await pageOf(opened, after)
  opened.knex.removeListener('query', listen)
  const names = page.flatMap(({ paths }) => paths).length
  if (page.length !== 100 || names !== 150) throw new Error(`${page.length} accounts, ${names} documents`)
  return sent
}

const places = [undefined, 'A-005800']

onMariaDb(
  'a page of references takes four statements, each by a key, wherever it lies',
  async (t, { open }) => {
    const opened = open({ maxConnections: 1 })
    await fill(opened)
    for (const after of places) {
      const statements = await statementsOf(opened, after)
      t.is(statements.length, 4)
      for (const { sql, bindings } of statements) {
        const [plan] = (await opened.knex.raw(`EXPLAIN ${sql}`, [...bindings])) as [
          readonly Readonly<Record<string, unknown>>[],
        ]
        for (const { key, Extra } of plan) {
          t.regex(String(key), /^(PRIMARY|notes_by_content|statements_by_id)$/, sql)
          t.notRegex(String(Extra), /filesort|temporary/, sql)
        }
        t.notRegex(sql, /offset/i)
      }
    }
  },
)

onServers('a page at the end touches no more rows than the first one', async (t, { open }) => {
  const opened = open({ maxConnections: 1 })
  await fill(opened)
  const rowsOf = async (after: string | undefined): Promise<number> =>
    (await rowsRead(opened.knex, () => pageOf(opened, after))).rows
  const [first, last] = [await rowsOf(places[0]), await rowsOf(places[1])]
  t.log(`${first} rows for the first page, ${last} for the last`)
  t.true(last <= first + 5 && first <= 700)
})

onSqlite(
  'a page of references takes four statements, each by a key, wherever it lies',
  async (t, { open }) => {
    const opened = open()
    await fill(opened)
    for (const after of places) {
      const statements = await statementsOf(opened, after)
      t.is(statements.length, 4)
      for (const { sql, bindings } of statements) {
        const plan = (await opened.knex.raw(`EXPLAIN QUERY PLAN ${sql}`, [...bindings])) as {
          detail: string
        }[]
        const text = plan.map(({ detail }) => detail).join('; ')
        t.regex(text, /SEARCH/, sql)
        t.notRegex(text, /TEMP B-TREE|SCAN/, sql)
      }
    }
  },
)

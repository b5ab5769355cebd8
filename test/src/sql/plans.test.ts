import type {
  AccountImportList,
  Instant,
  PageRequest,
  StagedImport,
  StagedPageRequest,
} from '@account-import/core'
import type { TaskEither } from '@account-import/core/adapter-kit'
import { answer } from '../support/answers.js'
import { testDatabases, type Opened } from './support/databases.js'
import { keyOf } from './support/imports.js'
import { rowsRead } from './support/rows-read.js'

const { onSqlite, onMariaDb, onServers } = testDatabases()

const lists: readonly AccountImportList[] = ['all', 'pending', 'imported']
const states = ['staged', 'created', 'skipped', 'none'] as const

/** 12,000 imports of each of two suppliers, in all states. */
const fill = async ({ knex }: Opened): Promise<void> => {
  for (const importSupplier of ['LEVANTE', 'PONIENTE'])
    for (let start = 0; start < 12_000; start += 500) {
      const rows = Array.from({ length: 500 }, (_, offset) => {
        const state = states[(start + offset) % 4] ?? 'none'
        return {
          organisation: 'ACME',
          import_supplier: importSupplier,
          external_account_number: `A-${String(start + offset).padStart(6, '0')}`,
          staged_version: state === 'none' ? 0 : 1,
          state,
          first_staged_at: `2026-11-21 00:00:${String(Math.trunc((start + offset) / 300)).padStart(2, '0')}.000`,
          skipped: state === 'skipped' ? 1 : 0,
          holds_slot: 0,
          attempts: 0,
          platform_account_number: state === 'created' ? `P-${start + offset}` : null,
          account_created_at: state === 'created' ? '2026-11-21 02:15:13.123' : null,
        }
      })
      await knex('account_imports').insert(rows)
    }
}

const request = (list: AccountImportList, after: string | undefined): PageRequest => ({
  ...keyOf(''),
  list,
  after,
  limit: 100,
})

type Sent = Readonly<{ sql: string; bindings: readonly string[] }>

/** The statement that a read sends. */
const statementOf = async (
  { knex, ports: { accountImports } }: Opened,
  read: (imports: typeof accountImports) => TaskEither<unknown, unknown>,
): Promise<Sent> => {
  const sent: Sent[] = []
  const listen = (query: Sent): void => void sent.push(query)
  knex.on('query', listen)
  await answer(read(accountImports))
  knex.removeListener('query', listen)
  return sent[0] as Sent
}

type Plan = Readonly<{ table: string; key: string; Extra: string }>

onMariaDb('each list is read from its index in order, wherever the page lies', async (t, { open }) => {
  const opened = open({ maxConnections: 1 })
  await fill(opened)
  for (const list of lists)
    for (const after of [undefined, 'A-000100', 'A-011000']) {
      const { sql, bindings } = await statementOf(opened, (imports) => imports.page(request(list, after)))
      const [plan] = await opened.knex.raw(`EXPLAIN ${sql}`, [...bindings])
      const ranges = (plan as readonly Plan[]).filter(({ table }) => table === 'account_imports')
      t.is(ranges.length, list === 'all' ? 3 : 1)
      for (const { key, Extra } of ranges) {
        t.is(key, 'account_imports_pages', `${list} after ${after}`)
        t.regex(Extra, /Using index/, `${list} after ${after}`)
        t.notRegex(Extra, /filesort|temporary|Using index condition/, `${list} after ${after}`)
      }
      t.notRegex(sql, /offset/i)
    }
})

/** How many rows the server touched for the page. */
const rowsOfPage = async (
  { knex, ports: { accountImports } }: Opened,
  read: (imports: typeof accountImports) => TaskEither<unknown, readonly unknown[]>,
): Promise<number> => {
  const { result: items, rows } = await rowsRead(knex, () => answer(read(accountImports)))
  return items.length === 100 ? rows : Number.NaN
}

onServers('a page at the end touches no more rows than the first one', async (t, { open }) => {
  const opened = open({ maxConnections: 1 })
  await fill(opened)
  for (const list of lists) {
    const first = await rowsOfPage(opened, (imports) => imports.page(request(list, undefined)))
    const last = await rowsOfPage(opened, (imports) => imports.page(request(list, 'A-011500')))
    t.true(last <= first + 5 && first <= 1005, `${list}: ${first} and ${last} rows`)
  }
})

onSqlite('each list is read from its index in order, wherever the page lies', async (t, { open }) => {
  const opened = open()
  await fill(opened)
  for (const list of lists)
    for (const after of [undefined, 'A-011000']) {
      const { sql, bindings } = await statementOf(opened, (imports) => imports.page(request(list, after)))
      const plan = (await opened.knex.raw(`EXPLAIN QUERY PLAN ${sql}`, [...bindings])) as { detail: string }[]
      const text = plan.map(({ detail }) => detail).join('; ')
      const ranges = list === 'all' ? 3 : 1
      t.is(text.match(/SEARCH account_imports USING COVERING INDEX account_imports_pages/g)?.length, ranges)
      // The pages of the ranges are sorted before they are merged.
      t.notRegex(text.replaceAll('SCAN part; USE TEMP B-TREE FOR ORDER BY', ''), /TEMP B-TREE|SCAN/)
    }
})

const at = (second: number): Instant => `2026-11-21T00:00:${String(second).padStart(2, '0')}.000Z` as Instant

const stagedRequest = (after?: StagedImport): StagedPageRequest => ({
  ...keyOf(''),
  until: at(59),
  limit: 100,
  ...(after && { after }),
})

/** Within those of an instant, of which there are 75, and at the end of them. */
const middle = { externalAccountNumber: 'A-011100', firstStagedAt: at(37) }
const last = { externalAccountNumber: 'A-011396', firstStagedAt: at(37) }

onServers('a page of staged imports touches no more rows wherever it lies', async (t, { open }) => {
  const opened = open({ maxConnections: 1 })
  await fill(opened)
  const first = await rowsOfPage(opened, (imports) => imports.stagedPage(stagedRequest()))
  t.true(first <= 105, `${first} rows`)
  for (const after of [middle, last]) {
    const read = await rowsOfPage(opened, (imports) => imports.stagedPage(stagedRequest(after)))
    t.true(read <= 700, `${read} rows after ${after.externalAccountNumber}`)
  }
})

onMariaDb('a summary is one pass over its index', async (t, { open }) => {
  const opened = open({ maxConnections: 1 })
  await fill(opened)
  const { sql, bindings } = await statementOf(opened, (imports) => imports.summary('ACME', 'LEVANTE', at(0)))
  const [[plan]] = await opened.knex.raw(`EXPLAIN ${sql}`, [...bindings])
  t.is(plan.key, 'account_imports_summary')
  t.regex(String(plan.Extra), /Using index/)
  t.notRegex(String(plan.Extra), /filesort|temporary/)
})

onSqlite('staged imports and summaries are read from their indexes in order', async (t, { open }) => {
  const opened = open()
  await fill(opened)
  const planOf = async ({ sql, bindings }: Sent): Promise<string> => {
    const plan = (await opened.knex.raw(`EXPLAIN QUERY PLAN ${sql}`, [...bindings])) as { detail: string }[]
    return plan.map(({ detail }) => detail).join('; ')
  }
  const first = await planOf(await statementOf(opened, (imports) => imports.stagedPage(stagedRequest())))
  t.regex(first, /COVERING INDEX account_imports_staged/)
  t.notRegex(first, /TEMP B-TREE|SCAN/)
  const next = await planOf(await statementOf(opened, (imports) => imports.stagedPage(stagedRequest(middle))))
  t.is(next.match(/COVERING INDEX account_imports_staged/g)?.length, 2)
  const summary = await planOf(
    await statementOf(opened, (imports) => imports.summary('ACME', 'LEVANTE', at(0))),
  )
  t.regex(summary, /COVERING INDEX account_imports_summary/)
  t.notRegex(summary, /TEMP B-TREE|SCAN/)
})

onMariaDb(
  'the statements of staging, claiming and processing find their rows by key',
  async (t, { open }) => {
    const opened = open()
    await fill(opened)
    const where = "organisation = 'ACME' AND import_supplier = 'LEVANTE' AND external_account_number"
    const statements = [
      `SELECT * FROM account_imports WHERE (${where} IN ('A-000001', 'A-000002', 'A-000003'))`,
      `SELECT * FROM account_imports WHERE (${where} IN ('A-000001')) OR (organisation = 'ACME' AND import_supplier = 'PONIENTE' AND external_account_number IN ('A-000001'))`,
      `UPDATE account_imports SET attempts = 1 WHERE ${where} = 'A-000001' AND claim_token IS NULL`,
    ]
    for (const sql of statements) {
      const [[plan]] = await opened.knex.raw(`EXPLAIN ${sql}`)
      t.is(plan.key, 'PRIMARY', sql)
      t.true(Number(plan.rows) <= 3, sql)
    }
  },
)

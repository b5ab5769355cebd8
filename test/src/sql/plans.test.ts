import type { AccountImportList, PageRequest } from '@account-import/core'
import { answer } from '../support/answers.js'
import { testDatabases, type Opened } from './support/databases.js'
import { keyOf } from './support/imports.js'

const { onSqlite, onMariaDb } = testDatabases()

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

/** The statement that a page sends. */
const statementOf = async ({ knex, ports }: Opened, page: PageRequest): Promise<Sent> => {
  const sent: Sent[] = []
  const listen = (query: Sent): void => void sent.push(query)
  knex.on('query', listen)
  await answer(ports.accountImports.page(page))
  knex.removeListener('query', listen)
  return sent[0] as Sent
}

onMariaDb('each list is read from its index in order, wherever the page lies', async (t, { open }) => {
  const opened = open({ maxConnections: 1 })
  await fill(opened)
  for (const list of lists)
    for (const after of [undefined, 'A-000100', 'A-011000']) {
      const { sql, bindings } = await statementOf(opened, request(list, after))
      const [[plan]] = await opened.knex.raw(`EXPLAIN ${sql}`, [...bindings])
      t.is(plan.key, list === 'all' ? 'PRIMARY' : 'account_imports_lists', `${list} after ${after}`)
      t.notRegex(String(plan.Extra), /filesort|temporary/, `${list} after ${after}`)
      t.notRegex(sql, /offset/i)
    }
})

/** How many rows the server touched for the page. */
const rowsRead = async ({ knex, ports }: Opened, page: PageRequest): Promise<number> => {
  await knex.raw('FLUSH STATUS')
  const items = await answer(ports.accountImports.page(page))
  const [status] = await knex.raw("SHOW SESSION STATUS LIKE 'Handler_read%'")
  const read = (status as { Value: string }[]).reduce((sum, { Value }) => sum + Number(Value), 0)
  return items.length === 100 ? read : Number.NaN
}

onMariaDb('a page at the end touches no more rows than the first one', async (t, { open }) => {
  const opened = open({ maxConnections: 1 })
  await fill(opened)
  for (const list of lists) {
    const first = await rowsRead(opened, request(list, undefined))
    const last = await rowsRead(opened, request(list, 'A-011500'))
    t.true(last <= first + 5 && first <= 205, `${list}: ${first} and ${last} rows`)
  }
})

onSqlite('each list is read from its index in order, wherever the page lies', async (t, { open }) => {
  const opened = open()
  await fill(opened)
  for (const list of lists)
    for (const after of [undefined, 'A-011000']) {
      const { sql, bindings } = await statementOf(opened, request(list, after))
      const plan = (await opened.knex.raw(`EXPLAIN QUERY PLAN ${sql}`, [...bindings])) as { detail: string }[]
      const text = plan.map(({ detail }) => detail).join('; ')
      t.regex(text, list === 'all' ? /sqlite_autoindex_account_imports_1/ : /account_imports_lists/)
      t.notRegex(text, /TEMP B-TREE|SCAN/)
    }
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

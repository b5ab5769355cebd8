import { instantOf, type EmailClaimRequest } from '@account-import/core'
import { plusSeconds } from '@account-import/core/testing'
import type { ExecutionContext } from 'ava'
import { answer } from '../support/answers.js'
import { testDatabases, type Opened } from './support/databases.js'
import { rowsRead } from './support/rows-read.js'

const { onSqlite, onMariaDb, onServers } = testDatabases()

/** `OUTBOX_ROWS=200000` for measurements. */
const rowCount = Number(process.env['OUTBOX_ROWS'] ?? 20_000)

const now = instantOf(Date.parse('2026-11-21T02:15:13.123Z'))
const past = '2026-11-20 00:00:00.000'
const future = '2026-11-22 00:00:00.000'

const states = [
  { state: 'sent', due_at: null, settled_at: past },
  { state: 'parked', due_at: null, settled_at: past },
  { state: 'waiting', due_at: future, settled_at: null },
  { state: 'waiting', due_at: past, settled_at: null },
]

/** E-mails in all states, with a customer for each account. */
const fill = async ({ knex }: Opened): Promise<void> => {
  for (let start = 0; start < rowCount; start += 500) {
    const key = { organisation: 'ACME', import_supplier: 'LEVANTE' }
    const indices = Array.from({ length: 500 }, (_, offset) => start + offset)
    await knex('customer_emails').insert(
      indices.map((index) => ({
        ...key,
        external_account_number: `A-${String(index).padStart(7, '0')}`,
        platform_account_number: `P-${index}`,
        id: `id${index}`,
        language: 'es',
        enqueued_at: past,
        attempts: 0,
        served: '[]',
        ...states[index % 4],
      })),
    )
    await knex('customers').insert(
      indices.map((index) => ({
        ...key,
        platform_account_number: `P-${index}`,
        ordinal: 0,
        account_roles: '["ACCOUNT_HOLDER"]',
        user_details: '[]',
        email: `c${index}@example.com`,
      })),
    )
  }
}

const request = (token: string): EmailClaimRequest => ({
  token,
  at: now,
  leaseEndsAt: plusSeconds(now, 60),
  limit: 10,
})

type Sent = Readonly<{ sql: string; bindings: readonly string[] }>

/** Says how long a claim takes once the statements are known to the database. */
const logTime = async (t: ExecutionContext, { ports }: Opened): Promise<void> => {
  const times: number[] = []
  for (let turn = 0; turn < 20; turn += 1) {
    const begun = performance.now()
    await answer(ports.outbox.claimDue(request(`turn ${turn}`)))
    times.push(performance.now() - begun)
  }
  const median = times.sort((a, b) => a - b)[10] ?? 0
  t.log(`${rowCount} e-mails: a claim of 10 takes ${median.toFixed(1)} ms (median of 20)`)
}

/** The statements of one claim, which takes ten e-mails. */
const statementsOf = async (t: ExecutionContext, { knex, ports }: Opened): Promise<readonly Sent[]> => {
  const sent: Sent[] = []
  const listen = (query: Sent): void => void sent.push(query)
  knex.on('query', listen)
  const claimed = await answer(ports.outbox.claimDue(request('first')))
  knex.removeListener('query', listen)
  t.is(claimed.length, 10)
  t.true(claimed.every(({ customers }) => customers.length === 1))
  return sent.filter(({ sql }) => /^(?:select|update)/i.test(sql))
}

onMariaDb('a claim of e-mails finds its rows by index, however many there are', async (t, { open }) => {
  const opened = open({ maxConnections: 1 })
  await fill(opened)
  const { result: statements, rows } = await rowsRead(opened.knex, () => statementsOf(t, opened))
  t.true(rows <= 200, `${rows} rows were read`)
  t.is(statements.length, 3)
  const [[due]] = await opened.knex.raw(`EXPLAIN ${statements[0]?.sql}`, [...(statements[0]?.bindings ?? [])])
  t.is(due.key, 'customer_emails_due')
  t.notRegex(String(due.Extra), /filesort|temporary/)
  await logTime(t, opened)
})

onServers(
  'lists of e-mails are read from their index in order, wherever the page lies',
  async (t, { open }) => {
    const opened = open({ maxConnections: 1 })
    await fill(opened)
    for (const list of [undefined, 'parked', 'waiting'] as const)
      for (const after of [undefined, 'A-0010000']) {
        const page = { organisation: 'ACME', importSupplier: 'LEVANTE', list, after, limit: 100 }
        const { result, rows } = await rowsRead(opened.knex, () => answer(opened.ports.outbox.page(page)))
        t.is(result.length, 100)
        t.true(rows <= 210, `${list} after ${after}: ${rows} rows`)
      }
  },
)

onServers('the backlog is counted in its index, and no further than its limit', async (t, { open }) => {
  const opened = open({ maxConnections: 1 })
  await fill(opened)
  const { result: backlog, rows } = await rowsRead(opened.knex, () => answer(opened.ports.outbox.backlog(50)))
  t.deepEqual(backlog, { waiting: 50, parked: 50, firstDueAt: instantOf(Date.parse('2026-11-20')) })
  t.true(rows <= 220, `${rows} rows were read`)
})

onSqlite('claims and lists of e-mails find their rows by index', async (t, { open }) => {
  const opened = open()
  await fill(opened)
  const sent: Sent[] = [...(await statementsOf(t, opened))]
  const listen = (query: Sent): void => void sent.push(query)
  opened.knex.on('query', listen)
  for (const list of [undefined, 'parked'] as const) {
    const page = { organisation: 'ACME', importSupplier: 'LEVANTE', list, after: 'A-0010000', limit: 100 }
    t.is((await answer(opened.ports.outbox.page(page))).length, 100)
  }
  t.is((await answer(opened.ports.outbox.backlog(50))).parked, 50)
  opened.knex.removeListener('query', listen)
  t.is(sent.length, 6)
  await logTime(t, opened)
  for (const { sql, bindings } of sent) {
    const plan = (await opened.knex.raw(`EXPLAIN QUERY PLAN ${sql}`, [...bindings])) as { detail: string }[]
    const text = plan.map(({ detail }) => detail).join('; ')
    t.notRegex(text, /SCAN (?!some_|CONSTANT)/, sql)
    if (!sql.includes('join')) t.notRegex(text, /TEMP B-TREE/, sql)
  }
})

import { createHash } from 'node:crypto'
import { makeUseCases } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { answer } from '../support/answers.js'
import { verified } from '../verify/support/breaks-of.js'
import { fullJourney } from '../verify/support/journey.js'
import { testDatabases, type Opened } from '../sql/support/databases.js'
import { keyOf, now } from '../sql/support/imports.js'
import { rowsRead } from '../sql/support/rows-read.js'

const { onEach, onServers } = testDatabases()

const { organisation, importSupplier } = keyOf('')

/** So many created imports with their data, 200 of each minute. */
const fill = async ({ knex }: Opened, count: number): Promise<void> => {
  const rows = Array.from({ length: count }, (_, index) => ({
    organisation,
    import_supplier: importSupplier,
    external_account_number: `A-${String(index).padStart(6, '0')}`,
    staged_version: 1,
    state: 'created',
    skipped: 0,
    holds_slot: 0,
    attempts: 1,
    payload: '{}',
    platform_account_number: `P-${index}`,
    account_created_at: `2026-01-01 00:${String(Math.trunc(index / 200)).padStart(2, '0')}:00.000`,
  }))
  for (let start = 0; start < rows.length; start += 500)
    await knex('account_imports').insert(rows.slice(start, start + 500))
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

type Row = Readonly<{ payload?: string | null }>

/** The most characters of payloads that the database answers to one statement of the work. */
const mostAtOnce = async ({ knex }: Opened, work: () => Promise<unknown>): Promise<number> => {
  const client = knex.client as { _query(...given: unknown[]): Promise<Readonly<{ response?: unknown }>> }
  const own = client._query.bind(client)
  let most = 0
  client._query = async (...given) => {
    const answered = await own(...given)
    // MySQL's driver gives rows with a description of their columns.
    const rows = Array.isArray(answered.response) ? (answered.response.flat() as readonly (Row | null)[]) : []
    most = Math.max(
      most,
      rows.reduce((sum, row) => sum + (row?.payload?.length ?? 0), 0),
    )
    return answered
  }
  await work()
  client._query = own
  return most
}

onEach(
  'a database has no break when staged data is removed, and when accounts are erased',
  async (t, { open }) => {
    const { knex, ports } = open()
    const { supplier } = await fullJourney(knex)
    const { operator, removeDuePayloads } = makeUseCases(inMemoryPorts(ports))
    await answer(
      operator.configureSupplier({
        code: supplier,
        change: (settings) => ({ ...settings, retentionDays: 0 }),
      }),
    )
    t.is(await answer(removeDuePayloads(10)), 2)
    t.deepEqual((await verified(knex)).breaks, [])
    for (const externalAccountNumber of ['A-1', 'A-2', 'S-1', 'F-1', 'K-1'])
      await answer(operator.eraseSubject({ importSupplier: supplier, externalAccountNumber }))
    const { breaks, looked } = await verified(knex)
    t.deepEqual(breaks, [])
    t.like(looked, { imports: 6, accounts: 2, emails: 0 })
  },
)

onEach('servers that remove staged data at the same time remove each once', async (t, { open }) => {
  const servers = [open(), open(), open()]
  await fill(servers[0] as Opened, 1000)
  const due = { organisation, importSupplier, createdBy: now(), at: now(), limit: 1000 }
  const removed = await Promise.all(
    servers.map((server) => answer(server.ports.personalData.removePayloads(due))),
  )
  t.is(
    removed.reduce((sum, count) => sum + count, 0),
    1000,
  )
})

onServers('finding what is due costs the same however much was removed before', async (t, { open }) => {
  const { knex, ports } = open({ maxConnections: 1 })
  await fill({ knex, ports, retries: [] }, 12_000)
  const due = { organisation, importSupplier, createdBy: now(), at: now(), limit: 64 }
  const first = await rowsRead(knex, () => answer(ports.personalData.removePayloads(due)))
  t.is(first.result, 64)
  while ((await answer(ports.personalData.removePayloads({ ...due, limit: 1000 }))) === 1000);
  const last = await rowsRead(knex, () => answer(ports.personalData.removePayloads(due)))
  t.is(last.result, 0)
  t.true(first.rows <= 64 * 10 && last.rows <= 5, `${first.rows} and ${last.rows} rows`)
})

onEach(
  'what was staged before there were hashes gets one when it is removed, and is read one by one',
  async (t, { open }) => {
    const opened = open()
    await fill(opened, 5)
    const payload = `"${'x'.repeat(100_000)}"`
    await opened.knex('account_imports').update({ payload })
    const due = { organisation, importSupplier, createdBy: now(), at: now(), limit: 64 }
    t.is(
      await mostAtOnce(opened, () => answer(opened.ports.personalData.removePayloads(due))),
      payload.length,
    )
    const rows = (await opened.knex('account_imports').select('payload', 'payload_hash')) as unknown[]
    t.deepEqual(
      rows,
      Array.from({ length: 5 }, () => ({ payload: null, payload_hash: sha256(payload) })),
    )
  },
)

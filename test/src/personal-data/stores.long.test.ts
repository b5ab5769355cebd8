import { makeUseCases } from '@account-import/core/fp'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { testDatabases, type Opened } from '../sql/support/databases.js'
import { keyOf, now } from '../sql/support/imports.js'
import { rowsRead } from '../sql/support/rows-read.js'
import { answer } from '../support/answers.js'
import { verified } from '../verify/support/breaks-of.js'
import { fullJourney } from '../verify/support/journey.js'

const { onEach, onMysqlServers } = testDatabases()

const { organisation, importSupplier } = keyOf('')

/** This number of created imports with their data, 200 for each minute. */
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
    additions: 0,
    payload: '{}',
    platform_account_number: `P-${index}`,
    account_created_at: `2026-01-01 00:${String(Math.trunc(index / 200)).padStart(2, '0')}:00.000`,
  }))
  for (let start = 0; start < rows.length; start += 500)
    await knex('account_imports').insert(rows.slice(start, start + 500))
}

onEach(
  'a database keeps the payloads of accounts after the retention days, and verify finds no break after erasures',
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
    t.is(await answer(removeDuePayloads(10)), 0)
    t.is((await knex('account_imports').where('state', 'created').whereNotNull('payload')).length, 2)
    for (const externalAccountNumber of ['A-1', 'A-2', 'S-1', 'F-1', 'K-1'])
      await answer(operator.eraseSubject({ importSupplier: supplier, externalAccountNumber }))
    const { breaks, looked } = await verified(knex)
    t.deepEqual(breaks, [])
    t.like(looked, { imports: 6, accounts: 2, emails: 0 })
  },
)

onEach('servers that remove staged data concurrently remove each once', async (t, { open }) => {
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

onMysqlServers('finding due data costs the same after any number of removals', async (t, { open }) => {
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

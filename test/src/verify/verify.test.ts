import { breakKinds, connectSql } from '@account-import/adapter-sql'
import { makeUseCases } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import test, { type ExecutionContext } from 'ava'
import { testDatabases, type Opened } from '../sql/support/databases.js'
import { answer } from '../support/answers.js'
import { gasAccount } from '../support/samples.js'
import { setUp } from '../support/set-up.js'
import { keyRing, verified } from './support/breaks-of.js'
import { copyOfMariaDb, copyOfSqlite, type Copy } from './support/copied-database.js'
import { damages } from './support/damages.js'
import type { Damage, Site } from './support/damage.js'
import { fullJourney } from './support/journey.js'

const { onEach, onServers, onSqlite, onMariaDb, mariaDb } = testDatabases()

test('every kind of break is planted', (t) => {
  const planted = new Set(damages.flatMap(({ kinds }) => kinds))
  t.deepEqual(
    Object.keys(breakKinds).filter((kind) => !planted.has(kind as keyof typeof breakKinds)),
    [],
  )
})

onEach('a database after everything that the service does has no break', async (t, { open }) => {
  const { knex } = open()
  const { supplier, organisation } = await fullJourney(knex)
  const { breaks, looked } = await verified(knex)
  t.deepEqual(breaks, [])
  t.like(looked, { suppliers: 1, imports: 6, accounts: 2, emails: 1 })
  t.true(looked.rows > 40)
  t.deepEqual(await verified(knex, { importSupplier: supplier }), { breaks, looked })
  t.deepEqual(await verified(knex, { organisation }), { breaks, looked })
  t.is((await verified(knex, { importSupplier: 'OTHER' })).looked.suppliers, 0)
})

onEach('a database in which all of that is encrypted has no break', async (t, { open }) => {
  const { knex } = open()
  await fullJourney(knex, keyRing)
  const { breaks, looked } = await verified(knex)
  t.deepEqual(breaks, [])
  t.like(looked, { suppliers: 1, imports: 6, accounts: 2, emails: 1 })
})

/** Rows that the server has sorted so far for the one connection there is. */
const sortedRows = async (knex: Opened['knex']): Promise<number> => {
  const [[status]] = (await knex.raw("SHOW SESSION STATUS LIKE 'Sort_rows'")) as [{ Value: string }[]]
  return Number(status?.Value)
}

onServers(
  'rows are read in the order of an index: nothing is sorted for a page of accounts',
  async (t, { open }) => {
    const { knex, ports } = open({ maxConnections: 1 })
    const useCases = makeUseCases(inMemoryPorts(ports))
    const { organisation, supplier, team } = await setUp(useCases.operator)
    const named = { import_supplier_code: supplier, operations_team_name: team }
    const sortedWith = async (numbers: readonly string[]): Promise<number> => {
      for (const number of numbers) {
        await answer(useCases.stageAccount({ organisation, payload: gasAccount(supplier, number) }))
        const payload = { ...named, external_account_number: number }
        await answer(useCases.processAccount({ organisation, payload }))
      }
      const before = await sortedRows(knex)
      t.deepEqual((await verified(knex)).breaks, [])
      return (await sortedRows(knex)) - before
    }
    const few = await sortedWith(['A-1'])
    t.is(await sortedWith(Array.from({ length: 20 }, (_, at) => `B-${at}`)), few)
  },
)

const findsDamage = async (
  t: ExecutionContext,
  template: Site,
  copyUrl: string,
  damage: Damage,
): Promise<void> => {
  const knex = connectSql(copyUrl)
  try {
    await damage.do({ ...template, knex })
    const { breaks } = await verified(knex)
    const { title, kinds, about } = damage
    const found = breaks.map(({ kind }) => kind)
    for (const kind of kinds) t.true(found.includes(kind), `${title}: ${kind} is not among ${found.join()}`)
    const named = new Set(breaks.flatMap(({ externalAccountNumber }) => externalAccountNumber ?? []))
    if (about !== undefined) t.true(named.has(about), `${title}: names ${[...named].join()}`)
    // Exactly what was damaged is told: nothing else is suspected.
    named.delete(about ?? '')
    const others = about === undefined || damage.kinds.includes('team_unknown') ? [] : [...named]
    t.deepEqual(others, [], title)
  } finally {
    await knex.destroy()
  }
}

const plantEach = async (
  t: ExecutionContext,
  knex: Site['knex'],
  copy: Copy,
  some: readonly Damage[],
): Promise<void> => {
  const made = await fullJourney(knex)
  const numbers = (await knex('accounts').select(
    'external_account_number',
    'platform_account_number',
  )) as readonly { external_account_number: string; platform_account_number: string }[]
  const numberOf = (external: string): string =>
    numbers.find((each) => each.external_account_number === external)?.platform_account_number ?? ''
  const site: Site = { ...made, knex, numberOf }
  t.true(some.length >= 20)
  let losesKeys = false
  for (const damage of some) {
    await findsDamage(t, site, await copy(losesKeys), damage)
    losesKeys = damage.kinds.includes('unique_key_missing')
  }
}

/** The first damage of each kind. */
const oneOfEachKind = damages.filter(({ kinds }, index) => {
  const before = new Set(damages.slice(0, index).flatMap((each) => each.kinds))
  return kinds.some((kind) => !before.has(kind))
})

onSqlite(
  'each damage that is planted is found, in every table, and nothing besides',
  async (t, { open, url }) => {
    const { knex } = open()
    await plantEach(t, knex, copyOfSqlite(knex, url), damages)
  },
)

onMariaDb('damage of each kind that is planted is found, and nothing besides', async (t, { open, url }) => {
  const { knex } = open()
  await plantEach(t, knex, copyOfMariaDb(mariaDb(), knex, url), oneOfEachKind)
})

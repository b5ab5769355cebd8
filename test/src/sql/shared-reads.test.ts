import test from 'ava'
import { connectSql, createSqlPorts, migrate } from '@account-import/adapter-sql'
import { builtInSettings, instantOf, type StorePorts } from '@account-import/core'
import { answer } from '../support/answers.js'
import { testDatabases } from './support/databases.js'

const { onEach } = testDatabases()

const withSupplier = async ({ organisations, importSuppliers }: StorePorts): Promise<void> => {
  await answer(organisations.create({ code: 'ACME', name: 'Acme', createdAt: instantOf(0) }))
  await answer(
    importSuppliers.create({
      code: 'LEVANTE',
      organisation: 'ACME',
      status: 'ongoing',
      settings: builtInSettings,
    }),
  )
}

onEach('reads of one supplier at the same time share statements', async (t, database) => {
  const { knex, ports } = database.open()
  await withSupplier(ports)
  let statements = 0
  knex.on('query', () => (statements += 1))
  const found = await Promise.all(
    Array.from({ length: 30 }, () => answer(ports.importSuppliers.find('ACME', 'LEVANTE'))),
  )
  t.deepEqual(new Set(found.map((supplier) => supplier?.status)), new Set(['ongoing']))
  t.true(statements <= 2, `${statements} statements`)
  t.is(await answer(ports.importSuppliers.find('OTHER', 'LEVANTE')), undefined)
})

onEach('a read that begins after a change sees it, whatever reads are on their way', async (t, database) => {
  const [{ ports }, other] = [database.open(), database.open()]
  await withSupplier(ports)
  for (let round = 0; round < 40; round += 1) {
    const status = round % 2 === 0 ? 'paused' : 'ongoing'
    const earlier = [1, 2, 3].map(() => answer(ports.importSuppliers.find('ACME', 'LEVANTE')))
    await answer(other.ports.importSuppliers.setStatus('LEVANTE', status))
    const later = await answer(ports.importSuppliers.find('ACME', 'LEVANTE'))
    t.is(later?.status, status)
    await Promise.all(earlier)
  }
})

test('a read that fails fails those who share it, and the next one is made anew', async (t) => {
  const knex = connectSql('sqlite::memory:')
  t.teardown(() => knex.destroy())
  const ports = createSqlPorts(knex)
  const find = (): Promise<string> =>
    ports.importSuppliers
      .find('ACME', 'LEVANTE')()
      .then(({ _tag }) => _tag)
  t.deepEqual(await Promise.all([find(), find(), find()]), ['Left', 'Left', 'Left'])
  await migrate(knex)
  t.is(await find(), 'Right')
})

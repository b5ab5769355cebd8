import { connectSql, createSqlPorts, migrate } from '@account-import/adapter-sql'
import { makeUseCases, plainUseCases, type AccountToSend } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import test from 'ava'
import { blocksOf } from '../docs/readme.js'
import { textOf } from '../support/repository.js'

const database = connectSql('sqlite::memory:')
await migrate(database)
const stores = createSqlPorts(database, {
  onAccountsCreated: async (trx, accounts) => {
    await trx('crm_customers').insert(
      accounts.map((account) => ({ platform_number: account.platformAccountNumber })),
    )
  },
})
const service = plainUseCases(makeUseCases(inMemoryPorts(stores)))

test.after.always(() => database.destroy())

test('the page on embedding shows the code that runs here', (t) => {
  const shown = blocksOf('ts', 'own-tables', 'docs/how-to/embed-the-core.md')
  t.is(shown.length, 1)
  t.true(textOf('test/src/sql/own-tables.test.ts').includes(`\n${shown[0]}\n`), shown[0])
})

test('a row of a table of its own is written with the account, and when that fails nothing is created', async (t) => {
  await database.schema.createTable('crm_customers', (table) => {
    table.string('platform_number').primary()
  })
  // FAIL leaves the row that was just written, so only the end of the transaction takes it away.
  await database.raw(
    "create trigger refuses after insert on crm_customers begin select raise(fail, 'the CRM refuses'); end",
  )
  await service.operator.createOrganisation({ code: 'ACME' })
  await service.operator.createSupplier({ code: 'LEVANTE', organisation: 'ACME' })
  await service.operator.createTeam('Team')
  const key = { organisation: 'ACME', importSupplier: 'LEVANTE', externalAccountNumber: 'N-1' }
  const payload: AccountToSend = {
    import_supplier: 'LEVANTE',
    external_account_number: 'N-1',
    account_type: 'DOMESTIC',
    unknown_occupier: true,
  }
  t.like(await service.stageAccount({ organisation: 'ACME', payload }), { ok: true })
  const request = {
    import_supplier_code: 'LEVANTE',
    external_account_number: 'N-1',
    operations_team_name: 'Team',
  }
  const refused = await service.processAccount({ organisation: 'ACME', payload: request })
  t.like(refused, { ok: false, refusal: { _tag: 'PortFailure' } })
  t.deepEqual(await database('crm_customers'), [])
  t.like(await service.transferStatus(key), { ok: true, value: { platformAccountNumber: undefined } })

  await database.raw('drop trigger refuses')
  const created = await service.processAccount({ organisation: 'ACME', payload: request })
  t.true(created.ok, JSON.stringify(created))
  if (!created.ok) return
  t.deepEqual(await database('crm_customers').pluck('platform_number'), [created.value.platformAccountNumber])
})

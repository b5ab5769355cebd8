import { connectSql, createSqlPorts, migrate } from '@account-import/adapter-sql'
import { makeUseCases, plainUseCases, type AccountToSend } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import test from 'ava'

test('a row of a table of its own is written with the account, and when that fails nothing is created', async (t) => {
  const database = connectSql('sqlite::memory:')
  t.teardown(() => database.destroy())
  await migrate(database)
  await database.schema.createTable('crm_customers', (table) => {
    table.string('platform_number').primary()
  })
  let fails = true
  const stores = createSqlPorts(database, {
    onAccountsCreated: async (trx, accounts) => {
      await trx('crm_customers').insert(
        accounts.map((account) => ({ platform_number: account.platformAccountNumber })),
      )
      if (fails) throw new Error('the CRM refuses')
    },
  })
  const service = plainUseCases(makeUseCases(inMemoryPorts(stores)))
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

  fails = false
  const created = await service.processAccount({ organisation: 'ACME', payload: request })
  t.true(created.ok, JSON.stringify(created))
  if (!created.ok) return
  t.deepEqual(await database('crm_customers').pluck('platform_number'), [created.value.platformAccountNumber])
})

import test from 'ava'
import { registerBackends } from '../journeys/support/backends.js'
import type { JsonObject } from '../support/samples.js'
import { answer } from '../support/answers.js'
import { left } from '../use-cases/support/service.js'
import { migrating, relayOnce } from './support/migrating.js'

const holder = (email: string | undefined, given_name = 'Núria'): JsonObject => ({
  account_roles: ['ACCOUNT_HOLDER'],
  given_name,
  family_name: 'Vidal',
  ...(email === undefined ? {} : { email }),
})

for (const backend of registerBackends()) {
  test.serial(`an account that is created leaves one e-mail, to its holder (${backend.name})`, async (t) => {
    const world = await migrating(backend.stores())
    const { platformAccountNumber } = await answer(world.migrate('N-1'))
    const [email, ...others] = await world.emails()
    t.deepEqual(others, [])
    t.like(email, { key: world.key('N-1'), platformAccountNumber, language: 'es', attempts: 0 })
    t.regex(email?.id ?? '', /^[A-Za-z0-9]{20,22}$/)
    t.deepEqual(await relayOnce(world), ['sent'])
    t.like(world.notices[0], {
      id: email?.id,
      recipient: { address: 'lucia.garcia@example.com' },
      externalAccountNumber: 'N-1',
      platformAccountNumber,
      importSupplier: world.supplier,
    })
    t.deepEqual(await relayOnce(world), [])
    t.is((await world.emails())[0]?.state._tag, 'sent')
  })

  test.serial(
    `a dry run, a second request and a refused one leave no e-mail more (${backend.name})`,
    async (t) => {
      const world = await migrating(backend.stores())
      t.is((await left(world.migrate('N-1', {}, { dry_run: true })))._tag, 'DryRunSucceeded')
      t.deepEqual(await world.emails(), [])
      t.is(
        (await left(world.migrate('N-1', {}, { operations_team_name: 'nobody' })))._tag,
        'OperationsTeamDoesNotExist',
      )
      t.deepEqual(await world.emails(), [])
      await answer(world.migrate('N-1'))
      const request = {
        import_supplier_code: world.supplier,
        external_account_number: 'N-1',
        operations_team_name: world.team,
      }
      const again = world.useCases.processAccount({ organisation: world.organisation, payload: request })
      t.is((await left(again))._tag, 'AccountAlreadyImported')
      t.is((await world.emails()).length, 1)
      t.deepEqual(await relayOnce(world), ['sent'])
    },
  )

  test.serial(`who is not to be written to is not (${backend.name})`, async (t) => {
    const world = await migrating(backend.stores())
    await answer(world.migrate('print', { communication_preference: 'PRINT' }))
    await answer(world.migrate('no address', { customers: [holder(undefined)] }))
    await answer(
      world.migrate('no holder with one', {
        customers: [holder(undefined), { ...holder('pau@example.com'), account_roles: [] }],
      }),
    )
    t.deepEqual(await world.emails(), [])
    const off = await migrating(backend.stores(), undefined, { migrationEmails: false })
    await answer(off.migrate('N-1'))
    t.deepEqual(await off.emails(), [])
    t.deepEqual(await relayOnce(world), [])
  })

  test.serial(
    `each holder gets a message of their own, each address once, whatever its case (${backend.name})`,
    async (t) => {
      const world = await migrating(backend.stores())
      const customers = [
        holder('nuria@example.com'),
        { ...holder('agent@example.com'), account_roles: [] },
        holder('Nuria@Example.com', 'N.'),
        holder('pau@example.com', 'Pau'),
      ]
      await answer(world.migrate('N-1', { customers }))
      t.deepEqual(await relayOnce(world), ['sent'])
      t.is((await world.emails()).length, 1)
      const id = (await world.emails())[0]?.id ?? ''
      t.deepEqual(
        world.notices.map((notice) => [notice.id, notice.recipient]),
        [
          [id, { address: 'nuria@example.com', name: 'Núria' }],
          [`${id}.1`, { address: 'pau@example.com', name: 'Pau' }],
        ],
      )
    },
  )
}

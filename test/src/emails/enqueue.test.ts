import { makeUseCases, type Ports } from '@account-import/core'
import test from 'ava'
import { registerBackends } from '../journeys/support/backends.js'
import { gasAccount, type JsonObject } from '../support/samples.js'
import { answer } from '../support/answers.js'
import { failingCall } from '../use-cases/support/failing-call.js'
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
      recipients: [{ address: 'lucia.garcia@example.com' }],
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
    `holders share one e-mail, each address once, whatever its case (${backend.name})`,
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
      t.deepEqual(world.notices[0]?.recipients, [
        { address: 'nuria@example.com', name: 'Núria' },
        { address: 'pau@example.com', name: 'Pau' },
      ])
    },
  )
}

test("the language is the supplier's, or else that of the account's country", async (t) => {
  const languageFor = async (country: string, emailLanguage?: string) => {
    const world = await migrating(undefined, undefined, emailLanguage === undefined ? {} : { emailLanguage })
    const sent = gasAccount(world.supplier, 'N-1')['supply_addresses'] as readonly {
      supply_address: JsonObject
    }[]
    const addresses = sent.map((entry) => ({
      ...entry,
      supply_address: { ...entry.supply_address, country, postal_code: 'X' },
      supply_points: [],
    }))
    await answer(
      world.useCases.operator.configureSupplier({
        code: world.supplier,
        change: (before) => ({
          ...before,
          markets: [],
          severities: { supply_address_without_supply_points: 'off', invalid_postcode: 'off' },
        }),
      }),
    )
    await answer(world.migrate('N-1', { supply_addresses: addresses }))
    return (await world.emails())[0]?.language
  }
  t.is(await languageFor('ES'), 'es')
  t.is(await languageFor('AD'), 'ca')
  t.is(await languageFor('PT'), 'pt')
  t.is(await languageFor('JP'), 'en')
  t.is(await languageFor('JP', 'ca'), 'ca')
})

const mostCalls = 40

for (const kind of ['unavailable', 'unexpected'] as const)
  test(`whichever port call of processing fails (${kind}), account and e-mail are both there or both not`, async (t) => {
    let nth = 1
    for (; nth <= mostCalls; nth += 1) {
      const world = await migrating()
      const { organisation, supplier, team, ports } = world
      await answer(world.useCases.stageAccount({ organisation, payload: gasAccount(supplier, 'N-1') }))
      const broken = failingCall(ports, nth, kind)
      const process = (on: Ports) =>
        makeUseCases(on).processAccount({
          organisation,
          payload: {
            import_supplier_code: supplier,
            external_account_number: 'N-1',
            operations_team_name: team,
          },
        })()
      await process(broken.ports)
      const account = await answer(ports.accounts.find(world.key('N-1')))
      t.is((await world.emails()).length, account === undefined ? 0 : 1, `call ${nth}`)
      if (!broken.hit()) break
      world.clock.pass(61)
      await process(ports)
      t.is((await world.emails()).length, 1, `call ${nth}`)
    }
    t.true(nth > 6 && nth < mostCalls, `${nth - 1} calls were made to fail`)
  })

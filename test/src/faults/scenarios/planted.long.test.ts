import test from 'ava'
import { until } from '../../servers/index.js'
import { onBackend } from '../../support/on-backend.js'
import { brokenAtTheEnd } from '../invariants/broken-invariants.js'
import { inWorld } from '../world/world.js'

test.serial('brokenAtTheEnd finds an account and a note that a database lost', async (t) => {
  const broken = await onBackend.sqlite((url) =>
    inWorld([url], { busy: 1 }, async (world) => {
      const [client] = world.clients
      if (client === undefined) return t.fail('there is no client')
      await world.stageDirectly(2)
      for (let request = world.requests.fresh('processing'); request !== undefined;)
        if ((await request(client)) === 'done') request = world.requests.fresh('processing')
      for (let kind = 0; kind < 5; kind += 1) await world.requests.fresh('additions')?.(client)
      t.deepEqual([...world.tally.violations, ...(await brokenAtTheEnd(world))], [])
      const { tally, database } = world
      tally.created(database.key('N-1'), 'P-1')
      await database
        .knex('account_items')
        .where('kind', 'note')
        .where('content', 'like', '{"body":"0-%')
        .delete()
      return brokenAtTheEnd(world)
    }),
  )
  const found = (fault: RegExp) => broken?.some((each) => fault.test(each))
  t.true(found(/N-1: I2: was answered with/), JSON.stringify(broken))
  t.true(found(/I2: B-0: note .* is not there/), JSON.stringify(broken))
})

test.serial('the log of a server tells the cause of a 500', async (t) => {
  const told = await onBackend.sqlite((url) =>
    inWorld([url], {}, async ({ clients, requests, services, database: { knex } }) => {
      const [client] = clients
      if (client === undefined) return t.fail('there is no client')
      await knex.schema.renameTable('account_imports', 'hidden')
      await requests.fresh('staging')?.(client)
      await knex.schema.renameTable('hidden', 'account_imports')
      const failures = (): readonly string[] => services.flatMap((service) => service.failures())
      // The answer may arrive before the entry, which comes through a pipe of its own.
      await until(
        async () => failures().length > 0,
        'the log of the server has an entry with a failure',
        10_000,
      )
      return failures()
    }),
  )
  t.regex(String(told), /"status":500.*"failure":\{"kind":"unexpected","port":"accountImports"/)
})

import test from 'ava'
import { onBackend } from '../../support/on-backend.js'
import { brokenAtTheEnd } from '../invariants/broken-invariants.js'
import { inWorld, type World } from '../world/world.js'

type Plant = Readonly<{ found: RegExp; plant(world: World): Promise<unknown> | void }>

/** Data that a database or a server could lose, change or double, and the name of the invariant. */
const plants: Readonly<Record<string, Plant>> = {
  'an acknowledged account that is missing': {
    found: /N-1: I2: was answered with/,
    plant: ({ tally, database: { key } }) => tally.created(key('N-1'), 'P-1'),
  },
  'an account of another number than the acknowledged one': {
    found: /A-1: I2: was answered with/,
    plant: ({ database: { knex } }) =>
      knex('account_imports')
        .where('external_account_number', 'A-1')
        .update('platform_account_number', 'P-1'),
  },
  'a note that is lost': {
    found: /I2: B-0: note .* is not there/,
    plant: ({ database: { knex } }) =>
      knex('account_items').where('kind', 'note').where('content', 'like', '{"body":"0-%').delete(),
  },
  'money that is added': {
    found: /I6: B-0, ledger 0/,
    plant: ({ database: { knex } }) =>
      knex('account_items')
        .where({ kind: 'transaction', identity: '1-0' })
        .update({ content: knex.raw("JSON_SET(content, '$.transaction.amount', '7.00')") }),
  },
  'an e-mail that is lost': {
    found: /I3: A-1: created without its e-mail/,
    plant: ({ database: { knex } }) =>
      knex('customer_emails').where('external_account_number', 'A-1').delete(),
  },
  'a staging that nobody sent': {
    found: /I3: what is staged was never sent/,
    plant: ({ database: { stage } }) => stage(['N-1']),
  },
  'a claim that stays': {
    found: /I4, I7: reported are/,
    plant: async ({ stageDirectly, database: { knex } }) => {
      await stageDirectly(1)
      const at = new Date(Date.now() + 50_000).toISOString().replace('T', ' ').replace('Z', '')
      await knex('account_imports')
        .whereNull('platform_account_number')
        .update({ claim_token: 'a claim', claim_expires_at: at })
    },
  },
}

for (const [name, { found, plant }] of Object.entries(plants))
  test.serial(`${name} is found in a world of servers`, async (t) => {
    const broken = await onBackend.sqlite((url) =>
      inWorld([url], { busy: 1 }, async (world) => {
        const [client] = world.clients
        if (client === undefined) return t.fail('there is no client')
        await world.stageDirectly(2)
        for (let request = world.requests.fresh('processing'); request !== undefined;)
          if ((await request(client)) === 'done') request = world.requests.fresh('processing')
        for (let kind = 0; kind < 5; kind += 1) await world.requests.fresh('additions')?.(client)
        t.deepEqual([...world.tally.violations, ...(await brokenAtTheEnd(world))], [])
        await plant(world)
        return brokenAtTheEnd(world)
      }),
    )
    t.true(
      broken?.some((each) => found.test(each)),
      JSON.stringify(broken),
    )
  })

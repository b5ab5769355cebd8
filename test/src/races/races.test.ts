import test from 'ava'
import { registerBackends } from '../journeys/support/backends.js'
import { inShort, successOf } from '../support/results.js'
import { gasAccount, type JsonObject } from '../support/samples.js'
import { openWorld } from '../journeys/support/world.js'
import { answer } from '../support/answers.js'
import { counted } from './counted.js'

for (const backend of registerBackends()) {
  test.serial(
    `200 simultaneous process calls for one account create it once (${backend.name})`,
    async (t) => {
      const { client, supplier, process } = await openWorld(t, backend)
      await client.stageAccount(gasAccount(supplier, 'A-1'))
      const results = await Promise.all(Array.from({ length: 200 }, () => process('A-1')))
      const counts = counted(results.map(inShort))
      t.is(counts['201'], 1)
      const refused =
        (counts['400 account_already_imported'] ?? 0) + (counts['429 account_import_in_progress'] ?? 0)
      t.is(refused, 199, JSON.stringify(counts))
      const { body } = successOf(await client.transferStatus(supplier, 'A-1'))
      t.deepEqual([body.status, body.attempts], ['COMPLETED', 1])
    },
  )

  test.serial(
    `50 clients that stage one account at once: one 201, every version counted (${backend.name})`,
    async (t) => {
      const { clientWith, apiKey, supplier, stores, key, process } = await openWorld(t, backend)
      const sent = Array.from({ length: 50 }, (_, index): JsonObject => ({
        ...gasAccount(supplier, 'A-1'),
        billing_name: `Client ${index} ${'x'.repeat(index * 9)}`,
      }))
      const results = await Promise.all(sent.map((account) => clientWith(apiKey).stageAccount(account)))
      t.deepEqual(counted(results.map(inShort)), { '200': 49, '201': 1 })
      const staged = await answer(stores.accountImports.staged(key('A-1')))
      t.is(staged?.version, 50)
      const payload = JSON.parse(staged?.payload ?? '') as { billing_name: string }
      const winner = sent.find(({ billing_name }) => billing_name === payload.billing_name)
      t.deepEqual<unknown, unknown>(payload, winner)
      t.is(inShort(await process('A-1')), '201')
      const account = await answer(stores.accounts.find(key('A-1')))
      t.deepEqual([account?.stagedVersion, account?.details.billing_name], [50, payload.billing_name])
    },
  )
}

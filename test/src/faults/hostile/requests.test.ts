import test from 'ava'
import { operations } from './contract.js'
import { accountOf } from './exchange.js'
import { everyChange, rawPlans } from './requests/transport.js'
import { request } from './requests/well-meant.js'
import { askService } from './run.js'
import { inThread } from './service/service.js'

test('each endpoint responds as the document declares it, for any method, header, encoding and bytes', async (t) => {
  t.timeout(600_000)
  const service = await inThread()
  const account = accountOf(service.facts, 'E-1')
  const { requests, answers, violations } = await askService(service, 120_000, async (tryRequest) => {
    for (const operation of operations)
      for (const change of everyChange) {
        const { sent } = request(account, operation, operation.body?.example)
        await tryRequest(change({ sent }), 0)
      }
    for (const each of rawPlans.flatMap((plan) => plan(account).flat())) await tryRequest(each, 0)
  })
  t.deepEqual(violations.slice(0, 10), [])
  t.log(`${requests} requests, ${answers.size} pairs of endpoint and status`)
  t.true(requests > 1000 && answers.size > 60)
})

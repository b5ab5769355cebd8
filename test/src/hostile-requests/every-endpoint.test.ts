import test from 'ava'
import { operations, type Operation } from './contract/contract.js'
import { Exchange } from './exchange.js'
import type { Account, Request } from './request.js'
import { rawPlans } from './requests/raw.js'
import { everyChange } from './requests/transport.js'
import { request } from './requests/well-meant.js'
import { emptyOutcome, tryRequest } from './run.js'
import { inThread } from './service/in-thread.js'

const asTheDocumentSays = ({ path, method, body }: Operation, account: Account): Request => {
  const target = path
    .replace('{import_supplier_code}', account.supplier)
    .replace('{external_account_number}', account.number)
  const { sent } = request(account, method === 'GET' ? 'GET' : 'POST', target, body?.example)
  const headers = sent.headers.map(([name, value]) =>
    name === 'Content-Type' ? ([name, body?.type ?? value] as const) : ([name, value] as const),
  )
  return { sent: { ...sent, headers } }
}

test('whatever method, header, packing and bytes, each endpoint answers as the document declares it', async (t) => {
  t.timeout(600_000)
  const service = await inThread()
  t.teardown(() => service.close())
  const exchange = new Exchange(service.port, 120_000)
  t.teardown(() => exchange.close())
  const outcome = emptyOutcome()
  const account = { ...service.facts, supplier: service.facts.suppliers[0] ?? '', number: 'E-1' }
  for (const operation of operations)
    for (const change of everyChange)
      await tryRequest(exchange, change(asTheDocumentSays(operation, account)), 0, outcome)
  for (const plan of rawPlans)
    for (const each of plan(account).flat()) await tryRequest(exchange, each, 0, outcome)
  t.deepEqual(outcome.violations.slice(0, 10), [])
  t.is(service.ended(), undefined)
  t.log(`${outcome.requests} requests, ${outcome.answers.size} pairs of endpoint and status`)
  t.true(outcome.requests > 1000 && outcome.answers.size > 60)
})

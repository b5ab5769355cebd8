import { createApp } from '@account-import/adapter-http-koa'
import { listen } from '@account-import/adapter-http-koa/testing'
import { connectSql, createSqlPorts, migrate } from '@account-import/adapter-sql'
import { paymentVendors, sandboxVendor } from '@account-import/adapter-payment-vendor'
import { makeUseCases, scopes } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { endpoints } from '@account-import/http-contract'
import { loadavg } from 'node:os'
import { median } from '../support/median.js'
import { databaseBackends, onBackend } from '../support/on-backend.js'
import { right } from '../use-cases/support/service.js'
import { requests, type Named } from './requests.js'
import { send, type EndpointName } from './send.js'

/** Pairs of requests of each endpoint: one that names what another organisation has, one what nobody has. */
const pairs = Number(process.argv[2] ?? 400)

const ours: Named = { supplier: 'OURS', number: 'A-1', team: 'Our team', vendor: 'OURS' }
const theirs: Named = { supplier: 'THEIRS', number: 'B-1', team: 'Their team', vendor: 'THEIRS' }
const nobodys: Named = { supplier: 'NOBODY', number: 'C-1', team: 'Nobodys tm', vendor: 'NOBODY' }

const mostDifference = 0.1

const measure = async (backend: string, url: string): Promise<void> => {
  const knex = connectSql(url)
  await migrate(knex)
  const vendors = paymentVendors([
    { ...sandboxVendor({ code: 'OURS' }), organisations: ['OWN'] },
    { ...sandboxVendor({ code: 'THEIRS' }), organisations: ['OTHER'] },
  ])
  const useCases = makeUseCases(inMemoryPorts({ ...createSqlPorts(knex), paymentVendors: vendors }))
  const { operator } = useCases
  for (const [organisation, named] of [
    ['OWN', ours],
    ['OTHER', theirs],
  ] as const) {
    await right(operator.createOrganisation({ code: organisation }))
    await right(operator.createSupplier({ code: named.supplier, organisation }))
    await right(operator.createTeam(named.team))
    await right(operator.bindTeam({ name: named.team, organisation }))
    await right(useCases.stageAccount({ organisation, payload: requests.stageAccount.of(named).body }))
    await right(useCases.processAccount({ organisation, payload: requests.processAccount.of(named).body }))
  }
  const { apiKey } = await right(operator.createApiKey({ organisation: 'OWN', scopes }))
  const { token } = await right(useCases.obtainToken({ credentials: { apiKey }, address: 'here' }))
  const { baseUrl, close } = await listen(createApp(useCases, { log: () => undefined }))
  const timed = async (name: EndpointName, named: Named): Promise<number> => {
    const begun = performance.now()
    await send(baseUrl, name, named, token)
    return performance.now() - begun
  }
  for (const name of Object.keys(endpoints) as EndpointName[])
    for (const part of requests[name].names) {
      const [others, missing]: [number[], number[]] = [[], []]
      const ask = async (nth: number): Promise<void> => {
        const [first, second] = nth % 2 === 0 ? [theirs, nobodys] : [nobodys, theirs]
        for (const from of [first, second])
          (from === theirs ? others : missing).push(await timed(name, { ...ours, [part]: from[part] }))
      }
      for (let nth = 0; nth < pairs + 20; nth++) await ask(nth)
      const [other, none] = [others, missing].map((times) => median(times.slice(20)))
      const ratio = (other ?? 0) / (none ?? 1)
      const verdict = Math.abs(ratio - 1) > mostDifference ? 'BEYOND 10 %' : 'ok'
      if (verdict !== 'ok') process.exitCode = 1
      console.log(
        `${backend} ${name} ${part}: other ${other?.toFixed(2)} ms, missing ${none?.toFixed(2)} ms, ratio ${ratio.toFixed(3)} ${verdict}`,
      )
    }
  await close()
  await knex.destroy()
}

for (const backend of databaseBackends) await onBackend[backend]((url) => measure(backend, url))
console.log(
  `load average ${loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')}`,
)

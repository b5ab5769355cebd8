import test from 'ava'
import { availableBackends, onBackend } from '../../support/on-backend.js'
import { isThorough, seed } from '../../support/properties.js'
import { sample, type JsonObject } from '../../support/samples.js'
import { summaryOf } from './commands.js'
import { isObject, operations, referred } from './contract.js'
import { accountOf, canary, type Account, type Request } from './exchange.js'
import { about, additions, created, request } from './requests/well-meant.js'
import { askService, randomRun } from './run.js'
import { inThread, served } from './service/service.js'

type Schema = Readonly<{ $ref?: string; properties?: Readonly<Record<string, Schema>>; items?: Schema }>

type Path = readonly (string | number)[]

/** The path of every field that a schema names, in the objects that a value has and in the first item of its lists. */
const fieldsOf = (schema: Schema, value: unknown, path: Path = []): readonly Path[] => {
  const { properties = {}, items } = schema.$ref === undefined ? schema : (referred(schema.$ref) as Schema)
  if (items !== undefined && Array.isArray(value)) return fieldsOf(items, value[0], [...path, 0])
  if (!isObject(value)) return []
  return Object.entries(properties).flatMap(([name, field]) => [
    [...path, name],
    ...fieldsOf(field, value[name], [...path, name]),
  ])
}

/** The value with another one at the path. */
const withAt = (value: unknown, [key, ...rest]: Path, other: unknown): unknown => {
  if (key === undefined) return other
  if (Array.isArray(value))
    return value.map((each: unknown, i) => (i === key ? withAt(each, rest, other) : each))
  const object = isObject(value) ? value : {}
  return { ...object, [key]: withAt(object[key], rest, other) }
}

/** Values that replaced another value in earlier tests. */
const hostileValues: readonly unknown[] = [
  [null, '', ' ', canary, '\u0000', '\ud800', '\u{1F600}\u202E', 'x'.repeat(70_000), '-0', '9'.repeat(64)],
  ['2024-02-30', '9999-12-31', '../../etc/passwd', "'; DROP TABLE accounts; --", '__proto__'],
  [0, -1, 1e21, 0.1 + 0.2, true, [], [null], {}, { __proto__: null, constructor: { prototype: 1 } }],
].flatMap((some: readonly unknown[]) => some)

/** Staging and validating take the same body: each sample is sent to one of them. */
const files: Readonly<Record<string, string>> = {
  ...additions,
  validateAccount: 'electricity-account.json',
  stageAccount: 'gas-account.json',
}

/** Each field gets a third of the values, and its neighbours the others; in long runs of properties all of them. */
const requestsWith = (account: Account): readonly Request[] =>
  operations.flatMap((operation) => {
    const { id, body } = operation
    if (body?.type !== 'application/json' || id === 'obtainToken') return []
    const file = files[id]
    const value = about(file === undefined ? (body.example as JsonObject) : sample(file), account)
    return fieldsOf(body.schema, value).flatMap((field, index) =>
      hostileValues
        .filter((_, at) => isThorough || (at + index) % 3 === 0)
        .map((hostile) => request(account, operation, withAt(value, field, hostile))),
    )
  })

test.serial(
  'the response is as the document declares it for any value in any field of any body',
  async (t) => {
    t.timeout(900_000)
    await onBackend.sqlite(async (url) => {
      const service = await served(url)
      const account = accountOf(service.facts, 'F-1')
      const { requests, codes, violations } = await askService(service, 120_000, async (tryRequest) => {
        for (const each of created(account)) await tryRequest(each, 0)
        const all = requestsWith(account)
        let next = 0
        const lane = async (): Promise<void> => {
          for (let each = all[next++]; each !== undefined; each = all[next++]) await tryRequest(each, next)
        }
        await Promise.all([lane(), lane(), lane(), lane()])
      })
      t.deepEqual(violations.slice(0, 10), [])
      t.log(`${requests} requests, ${codes.size} codes`)
      t.true(requests > 1000 && codes.size > 30)
    })
  },
)

for (const backend of availableBackends())
  test.serial(
    `responses to random requests are as the OpenAPI document declares them, on ${backend}`,
    async (t) => {
      t.timeout(900_000)
      const began = performance.now()
      const options = { seed, requests: backend === 'sqlite' ? 2000 : 1500, patienceMilliseconds: 120_000 }
      const outcome = await onBackend[backend](async (url) => randomRun(await served(url), options))
      t.log(`seed ${seed}: ${summaryOf(outcome, performance.now() - began)}`)
      const violations = outcome.violations.slice(0, 10)
      t.deepEqual(violations, [], `repeat it by: npm run faults -- hostile --on ${backend} --seed ${seed}`)
      t.true(outcome.answers.size > 100 && outcome.codes.size > 50)
    },
  )

test.serial('random requests find a service that accepts an account with one error', async (t) => {
  const { violations, requests } = await randomRun(await inThread('faulty'), {
    seed: 1,
    requests: 16_000,
    endOnViolation: true,
    patienceMilliseconds: 5000,
  })
  const faults = violations.flatMap((violation) => violation.faults)
  t.true(
    faults.some((fault) => /accepted that the document refuses/.test(fault)),
    `${requests} requests: ${faults.join('; ')}`,
  )
  t.log(`found after ${requests} requests: ${faults[0]}`)
})

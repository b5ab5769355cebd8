import { connectSql, createSqlPorts, migrate } from '@account-import/adapter-sql'
import type { ServiceResult, PortFailure, Ports } from '@account-import/core'
import { answer } from '../../support/answers.js'
import { newSqlite } from '../../support/on-backend.js'
import { everyCallFault, faultName, nthCallFails, type CallFault } from '../faults/calls.js'
import { lookAt, type LookedSupplier } from '../invariants/look-at.js'
import { onPorts, serviceFixture, type ServiceFixture } from '../../use-cases/support/service-fixture.js'
import { settableClock } from '../../use-cases/support/service.js'
import type { ServiceCall } from '../../use-cases/support/service-calls.js'
import { brokenInvariants } from '../invariants/broken-invariants.js'
import { sentBy, type SentBy } from './sent-by.js'

/** Any number of equal fixtures; each is closed before the next is opened. */
export type Fixtures = Readonly<{
  /** The faults in them. */
  faults: readonly CallFault[]
  run<A>(work: (fixture: ServiceFixture) => Promise<A>): Promise<A>
  close(): Promise<void>
}>

export const fixturesInMemory = async (): Promise<Fixtures> => ({
  faults: everyCallFault,
  run: async (work) => work(await serviceFixture()),
  close: async () => undefined,
})

/**
 * The faults that differ in what they leave behind: failures of all kinds are alike to a caller that repeats, and one before the
 * effect of a call is like one after the effect of the call before it.
 */
export const faultsAfterEffects = everyCallFault.filter(
  ({ moment, ending }) => moment === 'after' && ending !== 'unexpected',
)

type Knex = ReturnType<typeof connectSql>

/** Copies the present rows; the returned function restores them. */
const remembered = async (knex: Knex, file: string): Promise<() => Promise<void>> => {
  const named: unknown = await knex('sqlite_master').where({ type: 'table' }).pluck('name')
  await knex.raw(`VACUUM INTO '${file}'`)
  await knex.raw(`ATTACH '${file}' AS kept`)
  return () =>
    knex.transaction(async (trx) => {
      await trx.raw('PRAGMA defer_foreign_keys = ON')
      for (const table of named as readonly string[]) {
        await trx.raw(`DELETE FROM main.${table}`)
        await trx.raw(`INSERT INTO main.${table} SELECT * FROM kept.${table}`)
      }
    })
}

/** All fixtures in one database, whose rows are restored after each. */
export const fixturesOnSqlite = async (): Promise<Fixtures> => {
  const { url, remove } = await newSqlite()
  const knex = connectSql(url)
  await migrate(knex)
  const stores = createSqlPorts(knex)
  const fixture = await serviceFixture(stores)
  const reset = await remembered(knex, `${url.slice('sqlite:'.length)}-kept`)
  return {
    faults: faultsAfterEffects,
    run: async (work) => {
      const clock = settableClock()
      try {
        return await work({ ...onPorts(fixture, { ...fixture.ports, clock }), clock })
      } finally {
        await reset()
      }
    },
    close: async () => {
      await knex.destroy()
      await remove()
    },
  }
}

/** The data behind the ports as JSON, without values that another attempt changes: tries, times, numbers. */
type WorldState = string

/** Values that are random, or count attempts. */
const changing = new Set([
  'attempts',
  'createdAt',
  'expiresAt',
  'id',
  'latestFailure',
  'platformAccountNumber',
  'secretHash',
  'stagedVersion',
  'version',
])

/** Times of the day on which the fixtures begin mean now; times in payloads are of other days. */
const plain = (value: unknown): string =>
  JSON.stringify(value, (name, inner: unknown) => {
    if (changing.has(name)) return undefined
    return typeof inner === 'string' && inner.startsWith('2025-09-01T') ? 'now' : inner
  })

const importsOf = (ports: Ports, { looked }: LookedSupplier): readonly unknown[] =>
  looked.map(({ key, found, staged, account, emails }) => ({
    key,
    skipped: found?.skipped,
    isClaimed: found?.claim !== undefined && found.claim.expiresAt > ports.clock.now(),
    isCreated: found?.created !== undefined,
    staged: staged?.payload,
    account,
    emails: emails.map(({ language, served, state }) => ({ language, served, state: state._tag })),
  }))

const worldState = async (ports: Ports, all: readonly LookedSupplier[]): Promise<WorldState> =>
  plain({
    organisations: await answer(ports.organisations.list()),
    suppliers: all.map(({ supplier }) => supplier),
    teams: await answer(ports.operationsTeams.listAll()),
    // Each attempt with an effect has another one that is equal.
    apiKeys: [...new Set((await answer(ports.apiKeys.list())).map(plain))],
    imports: all.flatMap((supplier) => importsOf(ports, supplier)),
  })

const valuesOf = (value: unknown, path: string): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => valuesOf(inner, `${path}/${name}`))
    : [[path, value]]

/** The differences between two states, by the paths of the values. */
const differences = (state: WorldState, expected: WorldState): readonly string[] => {
  if (state === expected) return []
  const [is, was] = [state, expected].map((text) => new Map(valuesOf(JSON.parse(text), '')))
  return [...new Set([...(is?.keys() ?? []), ...(was?.keys() ?? [])])]
    .filter((path) => is?.get(path) !== was?.get(path))
    .map((path) => `${path} is ${String(is?.get(path))}, without a fault ${String(was?.get(path))}`)
}

type Answer = ServiceResult<Readonly<{ _tag: string }>, unknown>

/** The result: the calls that failed, and the faults afterwards. */
export type FaultedCalls = Readonly<{
  injected: number
  requests: number
  acknowledged: number
  violations: readonly string[]
}>

/** Longer than a claim or a lease. */
const expirySeconds = 120

const mostCalls = 200

/** The owner of the claim no longer answers. */
const heldTags = ['AccountProcessedElsewhere', 'AccountImportInProgress', 'IdempotencyKeyInProgress']

const isHeld = (answer: Answer): boolean => !answer.ok && heldTags.includes(answer.refusal._tag)

/** Faults in the answer of a call when one port failed. */
const answerFaults = (answer: Answer | undefined, { ending }: CallFault): readonly string[] => {
  if (answer === undefined || answer.ok) return []
  const { refusal } = answer
  if (refusal._tag !== 'PortFailure') return [`I8: refused with ${refusal._tag}`]
  // Hashing cannot be unavailable.
  const isExpected = ending === 'unexpected' || (refusal as PortFailure).port === 'secrets'
  return isExpected || (refusal as PortFailure).kind === 'unavailable'
    ? []
    : ['I8: reported as unexpected, although it can be retried']
}

/** Faults after the same call was repeated. */
const repeated = async (
  fixture: ServiceFixture,
  { again, succeeds, done }: ServiceCall,
  { tally, note }: SentBy,
  expected: WorldState,
): Promise<readonly string[]> => {
  const call = again ?? succeeds
  let answer: Answer = await call(fixture)
  if (isHeld(answer)) {
    fixture.clock.pass(expirySeconds)
    answer = await call(fixture)
  }
  note(answer)
  const refused =
    answer.ok || answer.refusal._tag === done ? [] : [`I5: then refused with ${answer.refusal._tag}`]
  const looked = await lookAt(fixture.ports, tally)
  return [
    ...refused,
    ...(await brokenInvariants({ ports: fixture.ports, tally }, looked)),
    ...differences(await worldState(fixture.ports, looked), expected),
  ]
}

type Faulted = Readonly<{ name: string; call: ServiceCall; expected: WorldState }>

const faultOne = async (
  fixture: ServiceFixture,
  { name, call, expected }: Faulted,
  nth: number,
  fault: CallFault,
): Promise<Omit<FaultedCalls, 'injected'> | undefined> => {
  await call.given?.(fixture)
  const by = await sentBy(fixture, name)
  const faulty = nthCallFails(fixture.ports, nth, fault)
  const server = onPorts(fixture, faulty.ports)
  const answer = await Promise.race([call.succeeds(server), faulty.hung.then(() => undefined)])
  await faulty.quiet()
  const hit = faulty.hit()
  if (hit === undefined) return undefined
  by.note(answer)
  const looked = await lookAt(fixture.ports, by.tally)
  const first = [
    ...answerFaults(answer, fault),
    ...(await brokenInvariants({ ports: fixture.ports, tally: by.tally }, looked)),
  ]
  if (fault.ending === 'no answer') fixture.clock.pass(expirySeconds)
  // A server that got no answer may be lost; one that got a failure continues.
  const second = await repeated(fault.ending === 'no answer' ? fixture : server, call, by, expected)
  const third = await repeated(server, call, by, expected)
  const violations = [...first, ...second, ...third].map(
    (each) => `${name}, call ${nth}, ${hit} ${faultName(fault)}: ${each}`,
  )
  return { ...by.tally.counts, violations }
}

/**
 * Makes the 1st, the 2nd, … call of any port fail, in every way, until a run has no such call; after each the invariants hold,
 * the same call can be repeated, and the data is then that of a run without a fault.
 */
export const faultEachCall = async (
  fixtures: Fixtures,
  name: string,
  call: ServiceCall,
): Promise<FaultedCalls> => {
  const expected = await fixtures.run(async (fixture) => {
    await call.given?.(fixture)
    const { tally } = await sentBy(fixture, name)
    const answer = await call.succeeds(fixture)
    if (!answer.ok) throw new Error(`${name} was refused with ${answer.refusal._tag}`)
    return worldState(fixture.ports, await lookAt(fixture.ports, tally))
  })
  const total = { injected: 0, requests: 0, acknowledged: 0, violations: new Array<string>() }
  for (const fault of fixtures.faults)
    for (let nth = 1; nth <= (call.alike ?? Infinity); nth += 1) {
      if (nth > mostCalls) throw new Error(`${name}: more port calls than were expected`)
      const found = await fixtures.run((fixture) => faultOne(fixture, { name, call, expected }, nth, fault))
      if (found === undefined) break
      total.injected += 1
      total.requests += found.requests
      total.acknowledged += found.acknowledged
      total.violations.push(...found.violations)
    }
  return total
}

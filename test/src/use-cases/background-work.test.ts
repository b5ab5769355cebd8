import { makeUseCases, portFailure, type PortFailure, type PortResult } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'
import {
  startBackgroundWork,
  type BackgroundOptions,
  type BackgroundUseCases,
  type ChoreFailure,
} from '@account-import/core/background'
import { inMemoryPorts } from '@account-import/core/in-memory'
import test from 'ava'
import { setTimeout } from 'node:timers/promises'
import { once } from '../support/once.js'

const start = (changed: Partial<BackgroundUseCases>, options: BackgroundOptions = {}) =>
  startBackgroundWork(
    { ...makeUseCases(inMemoryPorts()), ...changed },
    { everyMilliseconds: 5, sealingMilliseconds: 5, ...options },
  )

const away = (): PortFailure => portFailure('unavailable', 'keptAnswers', 'forget', new Error('away'))

/** A store in which so many have expired; the first calls fail, where that is wanted. */
const storeOf = (expired: number, failures = 0) => {
  const store = { left: expired, limits: [] as number[], empty: once() }
  let failing = failures
  const forget = (limit: number): PortResult<number> => {
    store.limits.push(limit)
    if (failing > 0) {
      failing -= 1
      return TE.left(away())
    }
    const forgotten = Math.min(limit, store.left)
    store.left -= forgotten
    if (forgotten < limit) store.empty.happen()
    return TE.right(forgotten)
  }
  return { store, forget }
}

const none = ({ chore }: ChoreFailure): never => {
  throw new Error(`${chore} failed`)
}

test('all that has expired is removed, a batch at a time, and what expires later too, until it is stopped', async (t) => {
  const { store, forget } = storeOf(1200)
  const work = start({ forgetAnswers: forget }, { onFailure: none })
  await store.empty.happened
  t.is(store.left, 0)
  t.deepEqual(store.limits.slice(0, 3), [500, 500, 500])
  store.left = 5
  while (store.left > 0) await setTimeout(1)
  await work.stop()
  const { length } = store.limits
  await setTimeout(30)
  t.is(store.limits.length, length, 'it goes on after it was stopped')
})

test('every chore runs: nothing that a host would have to schedule is left out', async (t) => {
  const ran = new Set<string>()
  const all = once()
  const noting =
    <A>(name: string, value: A): (() => PortResult<A>) =>
    () => {
      ran.add(name)
      if (ran.size === 6) all.happen()
      return TE.right(value)
    }
  const { audit, emails } = makeUseCases(inMemoryPorts())
  const work = start(
    {
      audit: { ...audit, seal: noting('audit', { _tag: 'elsewhere' as const }) },
      emails: { ...emails, canSend: true, claimDue: noting('emails', []) },
      forgetAnswers: noting('kept_answers', 0),
      noteKeyUses: noting('api_key_uses', 0),
      removeDuePayloads: noting('staged_data', 0),
    },
    { rateLimits: { forget: noting('rate_limits', 0) }, onFailure: none },
  )
  await all.happened
  await work.stop()
  t.is(ran.size, 6)
})

test('a failure is told, and so is what throws; the chore is tried again, also when being told throws', async (t) => {
  const { store, forget } = storeOf(5, 1)
  let thrown = false
  const told: ChoreFailure[] = []
  const work = start(
    {
      forgetAnswers: (limit) => async () => {
        if (thrown) return forget(limit)()
        thrown = true
        throw new Error('against its word')
      },
    },
    {
      onFailure: (failed) => {
        told.push(failed)
        throw new Error('a log that is away')
      },
    },
  )
  await store.empty.happened
  await work.stop()
  t.is(store.left, 0)
  t.deepEqual(
    told.map(({ chore, failure: { kind } }) => [chore, kind]),
    [
      ['kept_answers', 'unexpected'],
      ['kept_answers', 'unavailable'],
    ],
  )
})

test('a chore never runs twice at one time, and stopping waits for a run that is under way', async (t) => {
  const [begun, go] = [once(), once()]
  let [now, most, runs] = [0, 0, 0]
  const work = start(
    {
      removeDuePayloads: () => async () => {
        now += 1
        runs += 1
        most = Math.max(most, now)
        begun.happen()
        await go.happened
        now -= 1
        return TE.right(0)()
      },
    },
    { onFailure: none },
  )
  await begun.happened
  await setTimeout(30)
  let stopped = false
  const stopping = work.stop().then(() => (stopped = true))
  await setTimeout(10)
  t.false(stopped)
  go.happen()
  await stopping
  t.deepEqual([now, most, runs], [0, 1, 1])
})

test('stopping waits for no pause, and writes the uses of keys down once requests have ended', async (t) => {
  const requests = once()
  let [ended, notedAfter] = [false, false]
  const work = start(
    {
      noteKeyUses: () => async () => {
        notedAfter = ended
        return TE.right(1)()
      },
    },
    { everyMilliseconds: 3_600_000, sealingMilliseconds: 3_600_000, onFailure: none },
  )
  const stopping = work.stop(1000, requests.happened)
  ended = true
  requests.happen()
  await stopping
  t.true(notedAfter)
})

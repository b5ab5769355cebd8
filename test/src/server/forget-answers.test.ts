import { portFailure, type PortFailure, type PortResult } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'
import { startForgetting } from '@account-import/server'
import test from 'ava'
import { setTimeout } from 'node:timers/promises'
import { once } from '../support/once.js'

const pace = { everyMilliseconds: 5, batch: 10, restMilliseconds: 1 }

/** A store in which so many have expired; the first calls fail, where that is wanted. */
const storeOf = (expired: number, failures = 0) => {
  const store = { left: expired, limits: [] as number[], empty: once() }
  let failing = failures
  const forgetAnswers = (limit: number): PortResult<number> => {
    store.limits.push(limit)
    if (failing > 0) {
      failing -= 1
      return TE.left(portFailure('unavailable', 'keptAnswers', 'forget', new Error('away')))
    }
    const forgotten = Math.min(limit, store.left)
    store.left -= forgotten
    if (forgotten < limit) store.empty.happen()
    return TE.right(forgotten)
  }
  return { store, forgetAnswers }
}

test('all that has expired is removed, a batch at a time, and what expires later too', async (t) => {
  const { store, forgetAnswers } = storeOf(25)
  const forgetting = startForgetting(forgetAnswers, () => t.fail('nothing failed'), pace)
  await store.empty.happened
  t.is(store.left, 0)
  t.deepEqual(store.limits.slice(0, 3), [10, 10, 10])
  store.left = 5
  while (store.left > 0) await setTimeout(1)
  await forgetting.stop()
  const { length } = store.limits
  await setTimeout(30)
  t.is(store.limits.length, length, 'it goes on after it was stopped')
})

test('a failure is told, and the next time tries again', async (t) => {
  const { store, forgetAnswers } = storeOf(5, 2)
  const told: PortFailure[] = []
  const forgetting = startForgetting(forgetAnswers, (failure) => told.push(failure), pace)
  await store.empty.happened
  await forgetting.stop()
  t.is(store.left, 0)
  t.deepEqual(
    told.map(({ operation }) => operation),
    ['forget', 'forget'],
  )
})

test('stopping does not wait for the next minute', async (t) => {
  const { store, forgetAnswers } = storeOf(5)
  const begun = performance.now()
  await startForgetting(forgetAnswers, () => t.fail('nothing failed')).stop()
  t.true(performance.now() - begun < 1000)
  t.is(store.left, 5)
})

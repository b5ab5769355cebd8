import { sqlRateLimits } from '@account-import/adapter-sql'
import { instantOf } from '@account-import/core'
import { answer } from '../support/answers.js'
import { testDatabases } from './support/databases.js'

const { onEach } = testDatabases()

const at = (seconds: number) => instantOf(1_800_000_000_000 + seconds * 1000)

const window = { beginsAt: at(0), expiresAt: at(60) }

onEach('uses of a limit add up over all servers, by subject and window', async (t, { open }) => {
  const [here, there] = [sqlRateLimits(open().knex), sqlRateLimits(open().knex)]
  t.is(await answer(here.use({ ...window, subject: 'requests:a', amount: 5 })), 5)
  t.is(await answer(there.use({ ...window, subject: 'requests:a', amount: 1 })), 6)
  t.is(await answer(here.use({ ...window, subject: 'requests:b', amount: 1 })), 1)
  t.is(await answer(here.use({ ...window, beginsAt: at(60), subject: 'requests:a', amount: 2 })), 2)
  t.is(await answer(here.use({ ...window, subject: 'requests:A', amount: 1 })), 1)
})

onEach('uses at the same time each get a number of their own', async (t, { open }) => {
  const stores = [open(), open()].map(({ knex }) => sqlRateLimits(knex))
  const uses = Array.from({ length: 40 }, (_, i) =>
    answer(
      (stores[i % 2] ?? sqlRateLimits(open().knex)).use({ ...window, subject: 'requests:a', amount: 1 }),
    ),
  )
  const totals = await Promise.all(uses)
  t.deepEqual(
    totals.toSorted((left, right) => left - right),
    Array.from({ length: 40 }, (_, i) => i + 1),
  )
})

onEach('windows that are over are removed, at most so many at a time, and no others', async (t, { open }) => {
  const store = sqlRateLimits(open().knex)
  for (const subject of ['a', 'b', 'c']) await answer(store.use({ ...window, subject, amount: 1 }))
  const later = { beginsAt: at(60), expiresAt: at(120) }
  await answer(store.use({ ...later, subject: 'a', amount: 7 }))
  t.is(await answer(store.forget(at(59), 10)), 0)
  t.is(await answer(store.forget(at(60), 2)), 2)
  t.is(await answer(store.forget(at(60), 2)), 1)
  t.is(await answer(store.forget(at(60), 2)), 0)
  t.is(await answer(store.use({ ...later, subject: 'a', amount: 1 })), 8)
})

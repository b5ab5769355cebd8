import { KeyRate } from '@account-import/adapter-http-koa'
import type { RateUse } from '@account-import/core'
import { portFailure } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'
import test from 'ava'
import { post, problemIn, serve, stagePath, validatePath } from './support/serve.js'
import { echoing } from './support/some-use-cases.js'

/** A use case that waits until it is let go. */
const held = () => {
  let letGo = (): void => undefined
  const until = new Promise<void>((resolve) => {
    letGo = resolve
  })
  return {
    letGo,
    useCases: {
      ...echoing,
      validateAccount: () => TE.fromTask(() => until.then(() => ({ account: {}, warnings: [] }))),
    },
  }
}

test('a key has so many requests under way and no more; others come again when these have ended', async (t) => {
  const { letGo, useCases } = held()
  const { baseUrl } = await serve(t, useCases, { limits: { maxInFlight: 2 } })
  const waiting = [1, 2].map(() => post(baseUrl + validatePath, '{}'))
  // Both are there when a third one is refused.
  let refused = await post(baseUrl + stagePath, '{}')
  while (refused.status !== 429) refused = await post(baseUrl + stagePath, '{}')
  t.is(refused.headers.get('retry-after'), '1')
  t.is(await problemIn(t, refused), '429 throttled')
  letGo()
  for (const answer of waiting) t.is((await answer).status, 200)
  t.is((await post(baseUrl + stagePath, '{}')).status, 201)
})

/** Counts in memory as a store does, for several servers. */
const counting = () => {
  const used = new Map<string, number>()
  const uses: RateUse[] = []
  return {
    uses,
    use: (use: RateUse) => {
      uses.push(use)
      const name = `${use.subject} ${use.beginsAt}`
      const total = (used.get(name) ?? 0) + use.amount
      used.set(name, total)
      return TE.fromTask(async () => total)
    },
  }
}

test('requests beyond the rate of their key are throttled until the next window, and headers say what is left', async (t) => {
  const store = counting()
  const rate = new KeyRate(store, { requests: 3, seconds: 86_400 })
  const { baseUrl } = await serve(t, echoing, { limits: { rate } })
  const left: (string | null)[] = []
  for (let i = 0; i < 3; i += 1) {
    const answer = await post(baseUrl + validatePath, '{}')
    t.is(answer.status, 200)
    t.is(answer.headers.get('ratelimit-policy'), '"key";q=3;w=86400')
    left.push(answer.headers.get('ratelimit')?.replace(/;t=\d+$/, '') ?? null)
  }
  t.deepEqual(left, ['"key";r=2', '"key";r=1', '"key";r=0'])
  const refused = await post(baseUrl + validatePath, '{}')
  const seconds = Number(refused.headers.get('retry-after'))
  t.true(seconds >= 1 && seconds <= 86_400)
  t.regex(refused.headers.get('ratelimit') ?? '', /^"key";r=0;t=\d+$/)
  t.is(await problemIn(t, refused), '429 throttled')
  t.is(store.uses.length, 3)
})

test('without a rate there are no headers of it, and a key of another organisation has its own', async (t) => {
  const { baseUrl } = await serve(t, echoing)
  t.is((await post(baseUrl + validatePath, '{}')).headers.get('ratelimit'), null)
  const rate = new KeyRate(counting(), { requests: 1, seconds: 60 })
  const now = Date.now()
  t.false((await rate.take('a', now)).isOver)
  t.true((await rate.take('a', now)).isOver)
  t.false((await rate.take('b', now)).isOver)
  t.false((await rate.take('a', now + 60_000)).isOver)
})

test('several servers together never give more than the limit, in few round trips', async (t) => {
  const store = counting()
  const servers = [1, 2, 3].map(() => new KeyRate(store, { requests: 600, seconds: 60 }))
  const now = Date.now()
  const states = await Promise.all(
    Array.from({ length: 1000 }, (_, i) => servers[i % 3]?.take('k', now) ?? Promise.reject(new Error())),
  )
  t.is(states.filter(({ isOver }) => !isOver).length, 600)
  t.true(store.uses.length < 20, `${store.uses.length} round trips`)
  const one = new KeyRate(store, { requests: 600, seconds: 60 })
  const before = store.uses.length
  for (let i = 0; i < 600; i += 1) t.false((await one.take('in turn', now)).isOver)
  t.true((await one.take('in turn', now)).isOver)
  t.true(store.uses.length - before < 90, `${store.uses.length - before} round trips`)
})

test('where nobody can count, nobody is refused, and the store is not asked for a second', async (t) => {
  let asked = 0
  const rate = new KeyRate(
    {
      use: () => {
        asked += 1
        return TE.left(portFailure('unavailable', 'rateLimits', 'use', new Error('away')))
      },
    },
    { requests: 1, seconds: 60 },
  )
  const now = 60_000
  for (let i = 0; i < 5; i += 1) t.false((await rate.take('k', now)).isOver)
  t.is(asked, 1)
  await rate.take('k', now + 1000)
  t.is(asked, 2)
})

import { createClient, type JsonObject } from '@account-import/client'
import { portFailure, type UseCases } from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import test, { type ExecutionContext } from 'ava'
import { answeringOnce } from './support/answering-once.js'
import { failureIn, issuing } from './support/for-clients.js'
import { serve } from './support/serve.js'

const gone = portFailure('unavailable', 'accounts', 'create', new Error('x'))

type Processed = Awaited<ReturnType<ReturnType<UseCases['processAccount']>>>

const created: Processed = E.right({ platformAccountNumber: 'A-1', warnings: [] })

/** A client of a service that processes by these outcomes, one after the other, the last one for ever. */
const clientOf = async (t: ExecutionContext, ...outcomes: readonly Processed[]) => {
  const counted = { runs: 0 }
  const { baseUrl } = await serve(t, {
    ...issuing([]),
    ...answeringOnce(),
    processAccount: () => async () => {
      counted.runs += 1
      return outcomes[Math.min(counted.runs, outcomes.length) - 1] ?? created
    },
  })
  const sent: (string | null)[] = []
  /** The n-th answer that is lost, counted from 1. */
  const lost = { nth: 0 }
  const client = createClient({
    baseUrl,
    apiKey: 'k',
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      if (String(url).includes('graphql')) return response
      sent.push(new Headers(init?.headers).get('Idempotency-Key'))
      if (sent.length !== lost.nth) return response
      await response.text()
      throw new TypeError('terminated')
    },
  })
  return { client, counted, lost, sent }
}

const idempotencyKey = 'key-1'

test('with a key, a request whose answer is lost is sent again, and done once', async (t) => {
  const { client, counted, lost, sent } = await clientOf(t, created)
  lost.nth = 1
  t.like(await client.processAccount({} as JsonObject, { idempotencyKey }), { ok: true, status: 201 })
  t.is(counted.runs, 1)
  t.deepEqual(sent, [idempotencyKey, idempotencyKey])
})

test('with a key, a request is sent again after 503 and 429, and not after an answer that stays', async (t) => {
  const full: Processed = E.left({ _tag: 'ConcurrencyLimitReached', retryAfterSeconds: 1 })
  const passing = await clientOf(t, E.left(gone), full, created)
  t.like(await passing.client.processAccount({} as JsonObject, { idempotencyKey }), { ok: true })
  t.is(passing.counted.runs, 3)
  const staying = await clientOf(t, E.left({ _tag: 'NothingStaged' }), created)
  t.like(await staying.client.processAccount({} as JsonObject, { idempotencyKey }), {
    ok: false,
    status: 400,
  })
  t.deepEqual([staying.counted.runs, staying.sent.length], [1, 1])
})

test('with a key, a request ends with its last failure when it was tried for long enough', async (t) => {
  const { client, sent } = await clientOf(t, E.left(gone))
  const once = await client.processAccount({} as JsonObject, { idempotencyKey, retrySeconds: 0 })
  t.is(failureIn(t, once).code, 'service_unavailable')
  t.is(sent.length, 1)
  const begun = performance.now()
  t.false((await client.processAccount({} as JsonObject, { idempotencyKey, retrySeconds: 4 })).ok)
  t.true(performance.now() - begun < 5000)
  t.true(sent.length >= 2)
})

test('without a key no request is sent again', async (t) => {
  const { client, lost, sent } = await clientOf(t, E.left(gone))
  t.is(failureIn(t, await client.processAccount({} as JsonObject)).code, 'service_unavailable')
  lost.nth = 2
  t.is(failureIn(t, await client.processAccount({} as JsonObject, { retrySeconds: 60 })).code, 'network')
  t.deepEqual(sent, [null, null])
})

test('a key that no header can carry, or the service would refuse, is refused without a request', async (t) => {
  const { client, sent } = await clientOf(t, created)
  for (const bad of ['', 'ñ', '😀', 'a b', 'k'.repeat(256), 'a\nb']) {
    const failure = failureIn(t, await client.processAccount({} as JsonObject, { idempotencyKey: bad }))
    t.is(`${failure.status} ${failure.code}`, '400 invalid_idempotency_key')
  }
  t.deepEqual(sent, [])
})

test('a key goes with each of the requests that take one, beside options of their own', async (t) => {
  const { client, sent } = await clientOf(t, created)
  const options = { idempotencyKey, retrySeconds: 0 }
  await client.validateAccount({} as JsonObject, options)
  await client.stageAccount({} as JsonObject, options)
  await client.processAccount({} as JsonObject, options)
  await client.addNotes({} as JsonObject, options)
  await client.addHistoricalStatements({} as JsonObject, options)
  await client.addPaymentInstruction({} as JsonObject, options)
  await client.addTransactions({} as JsonObject, { ...options, checkPreviouslyAdded: false })
  t.deepEqual(sent, Array<string>(7).fill(idempotencyKey))
})

import type { FirstAnswer, KeyedRequest, Ports } from '@account-import/core'
import { makeUseCases } from '@account-import/core/fp'
import { failing, inMemoryPorts } from '@account-import/core/in-memory'
import test from 'ava'
import { refusalOf } from './support/service.js'
import { answer } from '../support/answers.js'
import { once } from '../support/once.js'
import { settableClock } from '../support/settable-clock.js'

const request: KeyedRequest = {
  organisation: 'ACME',
  key: 'k',
  method: 'POST',
  path: '/v1/x',
  content: 'a'.repeat(64),
}

/** The use case, with a clock to set, and how often the request was answered for the first time. */
const answering = (ports: Partial<Ports> = {}) => {
  const clock = settableClock()
  const all = inMemoryPorts({ clock, ...ports })
  const useCases = makeUseCases(all)
  const counted = { runs: 0 }
  const first =
    (change: Partial<FirstAnswer> = {}) =>
    async (): Promise<FirstAnswer> => {
      counted.runs += 1
      const body = `${counted.runs}`
      return { answer: { status: 201, headers: {}, body }, isFinal: true, ...change }
    }
  const send = (change: Partial<KeyedRequest> = {}, how = first()) =>
    answer(useCases.answerOnce({ ...request, ...change }, how))
  return { clock, counted, first, ports: all, send, useCases }
}

test('an answer is replayed for 24 hours after it was given, and then its key is free', async (t) => {
  const { clock, first, send, useCases } = answering()
  t.like(await send(), { replayed: false, answer: { body: '1' } })
  clock.advance(86_390)
  const other = useCases.answerOnce({ ...request, content: 'b'.repeat(64) }, first())
  t.is(await refusalOf(other), 'IdempotencyKeyReused')
  t.like(await send(), { replayed: true, answer: { body: '1' } })
  clock.advance(20)
  t.like(await send({ content: 'b'.repeat(64) }), { replayed: false, answer: { body: '2' } })
})

test('another organisation, key, method or path makes another request', async (t) => {
  const { counted, send } = answering()
  await send()
  const others: Partial<KeyedRequest>[] = [
    { organisation: 'OTHER' },
    { key: 'K' },
    { method: 'PUT' },
    { path: '/v1/y' },
    { path: '/v1', key: '/xk' },
  ]
  for (const other of others) t.false((await send(other)).replayed)
  t.is(counted.runs, 1 + others.length)
})

test('a request whose server died runs again after the claim of 60 seconds, not before', async (t) => {
  const { clock, first, send, useCases } = answering()
  const begun = once()
  // Never answers, as if its server had died.
  void useCases.answerOnce(request, () => {
    begun.happen()
    return new Promise(() => undefined)
  })
  await begun.happened
  const again = () => useCases.answerOnce(request, first())
  for (const seconds of [0, 59]) {
    clock.advance(seconds)
    t.deepEqual(await again(), {
      _tag: 'Left',
      left: { _tag: 'IdempotencyKeyInProgress', retryAfterSeconds: 1 },
    })
  }
  clock.advance(2)
  t.like(await send(), { replayed: false, answer: { body: '1' } })
  t.like(await send(), { replayed: true, answer: { body: '1' } })
})

test('a slow first request answers its own client after it was overtaken, and the kept answer stays', async (t) => {
  const { clock, send, useCases } = answering()
  const [begun, goOn] = [once(), once()]
  const slow = useCases.answerOnce(request, async () => {
    begun.happen()
    await goOn.happened
    return { answer: { status: 400, headers: {}, body: 'slow' }, isFinal: true }
  })
  await begun.happened
  clock.advance(61)
  const { answer: kept } = await send()
  goOn.happen()
  t.like(await slow, { _tag: 'Right', right: { replayed: false, answer: { body: 'slow' } } })
  t.deepEqual((await send()).answer, kept)
})

test('answerOnce runs a request again when its answer is not final or has more than 64 KiB', async (t) => {
  const { counted, first, send } = answering()
  const long = { status: 200, headers: {}, body: 'a'.repeat(65_537) }
  const longInBytes = { ...long, body: 'é'.repeat(32_769) }
  for (const change of [{ isFinal: false }, { answer: long }, { answer: longInBytes }]) {
    const runs = counted.runs
    t.false((await send({}, first(change))).replayed)
    t.is(counted.runs, runs + 1)
  }
  const longest = { ...long, body: 'é'.repeat(32_768) }
  await send({}, first({ answer: longest }))
  t.deepEqual(await send(), { answer: longest, replayed: true, notKept: undefined })
})

test('an exception of the first request is rethrown, and the request may be repeated at once', async (t) => {
  const { send } = answering()
  const bug = new Error('a bug')
  await t.throwsAsync(
    send({}, () => Promise.reject(bug)),
    { is: bug },
  )
  t.like(await send(), { replayed: false, answer: { body: '1' } })
})

test('a failing call of the store refuses a request before it runs, or lets it answer after it', async (t) => {
  for (const operation of ['claim', 'keep', 'release'] as const) {
    const { idempotencyRecords } = inMemoryPorts()
    const { counted, first, useCases } = answering({
      idempotencyRecords: failing(idempotencyRecords, operation),
    })
    const isFinal = operation !== 'release'
    const result = await useCases.answerOnce(request, first({ isFinal }))
    if (operation === 'claim') {
      t.like(result, { _tag: 'Left', left: { _tag: 'PortFailure' } })
      t.is(counted.runs, 0)
    } else t.like(result, { right: { answer: { body: '1' }, notKept: { _tag: 'PortFailure', operation } } })
  }
})

test('a service in memory removes expired answers by itself', async (t) => {
  const { clock, ports, send } = answering()
  for (let index = 0; index < 30; index += 1) await send({ key: `old ${index}` })
  clock.advance(90_000)
  for (const key of ['a', 'b']) await send({ key })
  t.is(await answer(ports.idempotencyRecords.forget(clock.now(), 1000)), 0)
})

test('the preview of an erasure counts the answers of an account that was never staged', async (t) => {
  const { first, useCases } = answering()
  const [organisation, importSupplier] = ['ACME', 'LEVANTE']
  const pair = { importSupplier, externalAccountNumber: 'A-1' }
  await answer(useCases.operator.createOrganisation({ code: organisation }))
  await answer(useCases.operator.createSupplier({ code: importSupplier, organisation }))
  await answer(useCases.answerOnce(request, first({ account: pair })))
  const { removed } = await answer(useCases.operator.previewErasure(pair))
  t.deepEqual(removed, { payloads: 0, rows: 0, transactions: 0, emails: 0, answers: 1, runFailures: 0 })
})

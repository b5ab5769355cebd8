import test from 'ava'
import {
  type ClearAnswer,
  guardedVendor,
  type GuardOptions,
  type OnVendorAsked,
  type VendorClient,
  VendorFailure,
  type VendorFailureKind,
} from '@account-import/adapter-payment-vendor'
import type { PaymentVerification } from '@account-import/core'
import { slots, TooManyWaiting } from '@account-import/core/adapter-kit'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { settableClock } from '../use-cases/support/service.js'

type Asked = Parameters<OnVendorAsked>[0]

const verified: ClearAnswer = { _tag: 'verified', details: { brand: 'visa', last4: '4242' } }

/** The result of each try, in order; the last one from then on. */
type Script = readonly (ClearAnswer | VendorFailureKind | Error | 'hangs')[]

/** No pauses, and no breaker, unless the test wants them. */
const quick = { pauseMilliseconds: 0, breakAfter: 1_000_000 }

/** A guarded vendor whose attempts have the outcomes of the script. */
const guarded = (first: Script, options: GuardOptions = {}) => {
  let script = first
  let played = 0
  let tries = 0
  const asked: Asked[] = []
  const signals: AbortSignal[] = []
  const ask = async (_: unknown, signal: AbortSignal): Promise<ClearAnswer> => {
    tries += 1
    signals.push(signal)
    const scene = script[Math.min(played, script.length - 1)] ?? verified
    played += 1
    if (scene === 'hangs') return new Promise(() => undefined)
    if (typeof scene === 'string') throw new VendorFailure(scene)
    if (scene instanceof Error) throw scene
    return scene
  }
  const vendor = guardedVendor(
    { code: 'OWN', takesReference: () => true, ask },
    { onAsked: (one) => asked.push(one), ...options, limits: { ...quick, ...options.limits } },
  )
  return {
    asked,
    signals,
    tries: () => tries,
    ask: (): Promise<PaymentVerification> =>
      vendor.verify({ organisation: 'LLUM', reference: 'canary-reference', type: 'CARD' }),
    play: (next: Script) => {
      script = next
      played = 0
    },
  }
}

for (const kind of ['connection', 'time', 'status', 'busy', 'name_lookup'] satisfies VendorFailureKind[])
  test(`a temporary failure (${kind}) is tried again, at most 3 times`, async (t) => {
    const passing = guarded([kind, kind, verified])
    t.deepEqual(await passing.ask(), verified)
    t.is(passing.tries(), 3)
    const staying = guarded([kind])
    t.deepEqual(await staying.ask(), { _tag: 'unavailable', retryAfterSeconds: 1 })
    t.is(staying.tries(), 3)
  })

for (const kind of ['redirect', 'size', 'form'] satisfies VendorFailureKind[])
  test(`a failure that repeats (${kind}) is not tried again, and is unexpected`, async (t) => {
    const { ask, tries } = guarded([kind, verified])
    t.is((await ask())._tag, 'unavailable')
    t.is(tries(), 1)
  })

for (const kind of ['name', 'certificate', 'address'] satisfies VendorFailureKind[])
  test(`a lasting failure (${kind}) is unreachable at once, until the vendor answers`, async (t) => {
    const { ask, tries, play } = guarded([kind])
    t.deepEqual(await ask(), { _tag: 'unreachable' })
    t.is(tries(), 1)
    play(['status'])
    t.is((await ask())._tag, 'unavailable')
    play([verified])
    t.deepEqual(await ask(), verified)
  })

for (const tag of ['not_found', 'not_usable', 'refused'] as const)
  test(`a clear answer (${tag}) ends the call, also when an earlier or later attempt would verify`, async (t) => {
    const { ask, tries, play } = guarded(['connection', { _tag: tag }, verified])
    t.deepEqual(await ask(), { _tag: tag })
    t.is(tries(), 2)
    play([verified])
    t.deepEqual(await ask(), verified)
    play([{ _tag: tag }])
    t.deepEqual(await ask(), { _tag: tag })
  })

test('a vendor that sets a longer pause than a caller waits is not tried again, and the caller gets the pause', async (t) => {
  const { ask, tries } = guarded([new VendorFailure('busy', 70)])
  t.deepEqual(await ask(), { _tag: 'unavailable', retryAfterSeconds: 70 })
  t.is(tries(), 1)
})

test('a short pause that the vendor sets is kept', async (t) => {
  const { ask, tries } = guarded([new VendorFailure('busy', 1), verified])
  const begin = performance.now()
  t.deepEqual(await ask(), verified)
  t.is(tries(), 2)
  t.true(performance.now() - begin >= 990)
})

test('endless attempts and calls are ended, and the vendor gets the signal', async (t) => {
  const limits = { tryMilliseconds: 800, callMilliseconds: 2000 }
  const { ask, signals, asked } = guarded(['hangs'], { limits })
  const begin = performance.now()
  t.is((await ask())._tag, 'unavailable')
  t.true(performance.now() - begin < 10_000)
  t.is(asked[0]?.failure, 'time')
  await setTimeout(1000)
  t.true(signals.length >= 2 && signals.length <= 3)
  t.true(signals.every(({ aborted }) => aborted))
})

test('a call that ends before its first attempt is counted and named', async (t) => {
  const { ask, asked } = guarded(['hangs'], { limits: { tryMilliseconds: 5000, callMilliseconds: 50 } })
  t.is((await ask())._tag, 'unavailable')
  t.like(asked[0], { failure: 'time', tries: 1 })
})

test('no attempt begins after the call has ended during a pause', async (t) => {
  const { ask, tries } = guarded(['connection'], { limits: { pauseMilliseconds: 300, callMilliseconds: 50 } })
  t.is((await ask())._tag, 'unavailable')
  await setTimeout(400)
  t.is(tries(), 1)
})

test('the breaker opens after failures in a row, answers without an attempt, and lets one call test the vendor later', async (t) => {
  const limits = { breakAfter: 5, openMilliseconds: 2000, tryMilliseconds: 300 }
  const { ask, tries, play } = guarded(['status'], { limits })
  await ask()
  await ask()
  t.is(tries(), 5)
  t.deepEqual(await ask(), { _tag: 'unavailable', retryAfterSeconds: 2 })
  t.is(tries(), 5)
  await setTimeout(2050)
  play(['hangs'])
  const finding = ask()
  t.is(await Promise.race([ask().then(({ _tag }) => _tag), finding.then(() => 'waited')]), 'unavailable')
  t.is(tries(), 6)
  t.is((await finding)._tag, 'unavailable')
  play([verified])
  t.is((await ask())._tag, 'unavailable')
  await setTimeout(2050)
  t.deepEqual(await ask(), verified)
  t.deepEqual(await Promise.all([ask(), ask()]), [verified, verified])
})

test('a success between failures keeps the breaker closed', async (t) => {
  const { ask, play } = guarded(['status'], { limits: { breakAfter: 4 } })
  for (let round = 0; round < 5; round += 1) {
    play(['status'])
    t.is((await ask())._tag, 'unavailable')
    play([verified])
    t.deepEqual(await ask(), verified)
  }
})

test('trouble is persistent when no call has succeeded for the time and at least 5 have failed', async (t) => {
  const clock = settableClock('2026-01-01T00:00:00Z')
  const { ask, play } = guarded([verified], { clock, persistentSeconds: 600 })
  await ask()
  play(['status'])
  for (const seconds of [100, 200, 200, 99, 0]) {
    clock.pass(seconds)
    t.is((await ask())._tag, 'unavailable')
  }
  clock.pass(1)
  t.is((await ask())._tag, 'unreachable')
  play([{ _tag: 'not_found' }])
  t.is((await ask())._tag, 'not_found')
  play(['status'])
  clock.pass(601)
  t.is((await ask())._tag, 'unavailable')
})

test('fewer than 5 failed calls are never persistent trouble, the fifth is', async (t) => {
  const clock = settableClock('2026-01-01T00:00:00Z')
  const { ask } = guarded(['time'], { clock, persistentSeconds: 600 })
  const outcomes: string[] = []
  for (let call = 0; call < 5; call += 1) {
    outcomes.push((await ask())._tag)
    clock.pass(1000)
  }
  t.deepEqual(outcomes, [...Array<string>(4).fill('unavailable'), 'unreachable'])
})

test('the time counts from the first call when none has succeeded', async (t) => {
  const clock = settableClock('2026-01-01T00:00:00Z')
  const { ask } = guarded(['time'], { clock, persistentSeconds: 600 })
  clock.pass(100_000)
  for (let call = 0; call < 9; call += 1) t.is((await ask())._tag, 'unavailable')
  clock.pass(600)
  t.is((await ask())._tag, 'unreachable')
})

test('the open breaker answers unreachable when the trouble is persistent', async (t) => {
  const clock = settableClock('2026-01-01T00:00:00Z')
  const limits = { breakAfter: 5, tries: 1 }
  const { ask, tries } = guarded(['time'], { clock, persistentSeconds: 600, limits })
  for (let call = 0; call < 5; call += 1) await ask()
  t.is((await ask())._tag, 'unavailable')
  clock.pass(600)
  t.is((await ask())._tag, 'unreachable')
  t.is(tries(), 5)
})

test('a verified instruction keeps no card number, and is not usable after its month of expiry', async (t) => {
  const clock = settableClock('2026-01-01T00:00:00Z')
  const withDetails = (details: object) => guarded([{ _tag: 'verified', details }], { clock }).ask()
  const [last4, brand] = ['4242424242424242', '4242424242424242']
  const kept = { _tag: 'verified', details: { status: 'active' } } as const
  t.deepEqual(await withDetails({ last4, brand, status: 'active' }), kept)
  t.is((await withDetails({ expiry: '2025-12' }))._tag, 'verified')
  t.is((await withDetails({ expiry: '2025-11' }))._tag, 'not_usable')
  clock.pass(13 * 3600)
  t.is((await withDetails({ expiry: '2025-12' }))._tag, 'not_usable')
  t.is((await withDetails({ expiry: '2026-01' }))._tag, 'verified')
})

test('an exception in the code of a vendor is a rejection, is not tried again and does not open the breaker', async (t) => {
  const { ask, tries } = guarded([new TypeError('a bug in the vendor')], { limits: { breakAfter: 1 } })
  for (const expected of [1, 2, 3]) {
    await t.throwsAsync(ask(), { instanceOf: TypeError })
    t.is(tries(), expected)
  }
})

test('each call is logged with its vendor, outcome, attempts and time, and nothing of the instruction', async (t) => {
  const { ask, asked, play } = guarded(['connection', verified])
  await ask()
  play(['name'])
  await ask()
  t.deepEqual(
    asked.map(({ milliseconds, ...one }) => ({ ...one, timed: typeof milliseconds })),
    [
      { vendor: 'OWN', outcome: 'verified', tries: 2, timed: 'number' },
      { vendor: 'OWN', outcome: 'unreachable', tries: 1, failure: 'name', timed: 'number' },
    ],
  )
})

const clientThat = (ask: VendorClient['ask']): VendorClient => ({
  code: 'SLOW',
  takesReference: () => true,
  ask,
})

test('calls above the concurrency limit of a vendor queue, which is no failure of the vendor', async (t) => {
  let running = 0
  let most = 0
  const slow = clientThat(async () => {
    running += 1
    most = Math.max(most, running)
    await setTimeout(200)
    running -= 1
    return verified
  })
  const limits = { concurrentTries: 4, tryMilliseconds: 1800, callMilliseconds: 30_000, breakAfter: 2 }
  const vendor = guardedVendor(slow, { limits })
  const instruction = { organisation: 'LLUM', reference: 'ref-1', type: 'CARD' }
  const answers = await Promise.all(Array.from({ length: 40 }, () => vendor.verify(instruction)))
  t.deepEqual(answers, Array<PaymentVerification>(40).fill(verified))
  t.is(most, 4)
})

test('a queued call of a hanging vendor is answered when the breaker opens, without an attempt', async (t) => {
  const times = { tryMilliseconds: 200, callMilliseconds: 30_000 }
  const limits = { ...times, concurrentTries: 2, breakAfter: 2, tries: 1 }
  const { ask, tries } = guarded(['hangs'], { limits })
  const begin = performance.now()
  const answers = await Promise.all(Array.from({ length: 40 }, ask))
  t.true(answers.every(({ _tag }) => _tag === 'unavailable'))
  t.true(performance.now() - begin < 15_000)
  t.true(tries() <= 4)
})

test('a call without a place in time is unavailable, which is no failure of the vendor', async (t) => {
  const clock = settableClock('2026-01-01T00:00:00Z')
  const limits = { concurrentTries: 1, tryMilliseconds: 600, callMilliseconds: 900, tries: 1 }
  const { ask, asked, tries } = guarded(['hangs'], { limits, clock })
  const answers = await Promise.all(Array.from({ length: 8 }, ask))
  t.deepEqual(answers, Array<PaymentVerification>(8).fill({ _tag: 'unavailable', retryAfterSeconds: 1 }))
  t.is(tries(), 1)
  t.is(asked.filter((one) => one.tries === 0 && one.failure === undefined).length, 7)
  clock.pass(601)
  t.is((await ask())._tag, 'unavailable')
})

const never = (): AbortSignal => new AbortController().signal

test('organisations that wait for a place take turns, and each is served in order of arrival', async (t) => {
  const places = slots(1)
  const begun: string[] = []
  const ask = (owner: string, name: string) =>
    places.run(owner, never(), async () => {
      begun.push(name)
      await setImmediate()
    })
  const greedy = Array.from({ length: 50 }, (_, index) => ask('A', `A${index}`))
  await Promise.all([...greedy, ask('B', 'B0'), ask('B', 'B1'), ask('C', 'C0')])
  t.deepEqual(begun.slice(0, 8), ['A0', 'A1', 'B0', 'C0', 'A2', 'B1', 'A3', 'A4'])
  t.is(begun.length, 53)
})

test('a waiting call that gives up leaves the queue, and calls above the limit of an organisation are refused alone', async (t) => {
  const places = slots(1, 2)
  const begun: string[] = []
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const first = places.run('A', never(), () => held)
  const leaving = new AbortController()
  const left = places.run('B', leaving.signal, async () => void begun.push('left'))
  const waiting = [1, 2].map((name) => places.run('A', never(), async () => void begun.push(`A${name}`)))
  await t.throwsAsync(
    places.run('A', never(), async () => undefined),
    { instanceOf: TooManyWaiting },
  )
  const other = places.run('B', never(), async () => void begun.push('B'))
  leaving.abort(new Error('gone'))
  await t.throwsAsync(left, { message: 'gone' })
  release()
  await Promise.all([first, ...waiting, other])
  t.deepEqual(begun, ['B', 'A1', 'A2'])
})

test('an organisation that fills the queue of a vendor does not delay another', async (t) => {
  const asked: string[] = []
  const limits = { concurrentTries: 2, mostWaiting: 100, callMilliseconds: 30_000, tryMilliseconds: 1000 }
  const slow = clientThat(async ({ reference }) => {
    asked.push(reference)
    await setTimeout(40)
    return verified
  })
  const vendor = guardedVendor(slow, { limits })
  const verify = (organisation: string, reference: string) =>
    vendor.verify({ organisation, reference, type: 'CARD' })
  const many = Array.from({ length: 110 }, (_, index) => verify('A', `A${index}`))
  t.deepEqual(await verify('B', 'B0'), verified)
  t.true(asked.indexOf('B0') <= 4, `after ${asked.indexOf('B0')}`)
  const tags = (await Promise.all(many)).map(({ _tag }) => _tag)
  t.is(tags.filter((tag) => tag === 'unavailable').length, 8, 'the queue of one organisation has an end')
})

for (const [title, kinds, tried, then] of [
  [
    'no failure that one client can cause opens the breaker for all',
    ['redirect', 'form', 'size', 'busy'],
    10,
    'verified',
  ],
  [
    'a failing vendor is not called for a while',
    ['connection', 'time', 'status', 'name_lookup'],
    2,
    'unavailable',
  ],
] as const)
  for (const kind of kinds)
    test(`${title} (${kind})`, async (t) => {
      const { ask, tries, play } = guarded([kind], { limits: { breakAfter: 2, tries: 1 } })
      for (let time = 0; time < 10; time += 1) t.is((await ask())._tag, 'unavailable')
      t.is(tries(), tried)
      play([verified])
      t.is((await ask())._tag, then)
    })

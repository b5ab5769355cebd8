import { guardedVendor, type VendorClient } from '@account-import/adapter-payment-vendor'
import { slots, TooManyWaiting } from '@account-import/core/adapter-kit'
import test from 'ava'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { guarded, verified } from './support/guarded.js'

const never = (): AbortSignal => new AbortController().signal

test('organisations that wait for a place take turns, and each goes in the order in which it came', async (t) => {
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

test('who gives up leaves no turn behind, and more of an organisation than may wait is refused alone', async (t) => {
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

const slow = (asked: string[]): VendorClient => ({
  code: 'SLOW',
  takesReference: () => true,
  ask: async ({ reference }) => {
    asked.push(reference)
    await setTimeout(40)
    return verified
  },
})

test('an organisation that fills the queue of a vendor does not keep another from it', async (t) => {
  const asked: string[] = []
  const limits = { concurrentTries: 2, mostWaiting: 100, callMilliseconds: 30_000, tryMilliseconds: 1000 }
  const vendor = guardedVendor(slow(asked), { limits })
  const verify = (organisation: string, reference: string) =>
    vendor.verify({ organisation, reference, type: 'CARD' })
  const many = Array.from({ length: 110 }, (_, index) => verify('A', `A${index}`))
  t.deepEqual(await verify('B', 'B0'), verified)
  t.true(asked.indexOf('B0') <= 4, `after ${asked.indexOf('B0')}`)
  const tags = (await Promise.all(many)).map(({ _tag }) => _tag)
  t.is(tags.filter((tag) => tag === 'unavailable').length, 8, 'the queue of one organisation has an end')
})

for (const kind of ['redirect', 'form', 'size', 'busy'] as const)
  test(`what one client can bring about (${kind}) never opens the breaker for all`, async (t) => {
    const { ask, tries, play } = guarded([kind], { limits: { breakAfter: 2, tries: 1 } })
    for (let time = 0; time < 10; time += 1) t.is((await ask())._tag, 'unavailable')
    t.is(tries(), 10)
    play([verified])
    t.deepEqual(await ask(), verified)
  })

for (const kind of ['connection', 'time', 'status', 'name_lookup'] as const)
  test(`a vendor that fails (${kind}) is left alone for a while`, async (t) => {
    const { ask, tries, play } = guarded([kind], { limits: { breakAfter: 2, tries: 1 } })
    for (let time = 0; time < 10; time += 1) await ask()
    t.is(tries(), 2)
    play([verified])
    t.is((await ask())._tag, 'unavailable')
  })

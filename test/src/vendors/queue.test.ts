import { setTimeout } from 'node:timers/promises'
import test from 'ava'
import { guardedVendor, type VendorClient } from '@account-import/adapter-payment-vendor'
import type { PaymentVerification } from '@account-import/core'
import { guarded, setClock, verified } from './support/guarded.js'

test('more calls than a vendor is asked at one time queue, which is no failure of the vendor', async (t) => {
  let running = 0
  let most = 0
  const slow: VendorClient = {
    code: 'SLOW',
    takesReference: () => true,
    ask: async () => {
      running += 1
      most = Math.max(most, running)
      await setTimeout(200)
      running -= 1
      return verified
    },
  }
  const limits = { concurrentTries: 4, tryMilliseconds: 1800, callMilliseconds: 30_000, breakAfter: 2 }
  const vendor = guardedVendor(slow, { limits })
  const answers = await Promise.all(
    Array.from({ length: 40 }, () =>
      vendor.verify({ organisation: 'LLUM', reference: 'ref-1', type: 'CARD' }),
    ),
  )
  t.deepEqual(answers, Array<PaymentVerification>(40).fill(verified))
  t.is(most, 4)
})

test('who queues for a vendor that hangs is answered when the breaker opens, and asks nobody', async (t) => {
  const limits = {
    concurrentTries: 2,
    tryMilliseconds: 200,
    callMilliseconds: 30_000,
    breakAfter: 2,
    tries: 1,
  }
  const { ask, tries } = guarded(['hangs'], { limits })
  const begin = performance.now()
  const answers = await Promise.all(Array.from({ length: 40 }, ask))
  t.true(answers.every(({ _tag }) => _tag === 'unavailable'))
  t.true(performance.now() - begin < 15_000)
  t.true(tries() <= 4)
})

test('who finds no place while there is time for a try is unavailable, which says nothing about the vendor', async (t) => {
  const clock = setClock()
  const limits = { concurrentTries: 1, tryMilliseconds: 600, callMilliseconds: 900, tries: 1 }
  const { ask, asked, tries } = guarded(['hangs'], { limits, clock })
  const answers = await Promise.all(Array.from({ length: 8 }, ask))
  t.deepEqual(answers, Array<PaymentVerification>(8).fill({ _tag: 'unavailable', retryAfterSeconds: 1 }))
  t.is(tries(), 1)
  t.is(asked.filter((one) => one.tries === 0 && one.failure === undefined).length, 7)
  clock.pass(601)
  t.is((await ask())._tag, 'unavailable')
})

import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { BudgetSpent, ByteBudget, LoopSlice, type Held } from '@account-import/adapter-http-koa/testing'
import { TE } from '@account-import/core/adapter-kit'
import { bodyLimitBytes } from '@account-import/http-contract'
import test from 'ava'
import { postHead } from './support/raw-exchange.js'
import { post, problemIn, serve, statusPath, validatePath } from './support/serve.js'
import { echoing } from './support/some-use-cases.js'

/** Notes the order in which requests get their bytes. */
const noting = (budget: ByteBudget) => {
  const held = new Map<string, Held>()
  return {
    held,
    take: async (key: string, bytes: number, name: string): Promise<void> => {
      held.set(name, await budget.take(key, bytes))
    },
    names: () => [...held.keys()],
  }
}

test('a key that holds its share waits alone, and keys that wait take turns', async (t) => {
  const { held, take, names } = noting(new ByteBudget({ key: 60, all: 100 }))
  const waiting = [
    take('a', 60, 'a1'),
    take('a', 10, 'a2'),
    take('b', 40, 'b1'),
    take('a', 50, 'a3'),
    take('c', 40, 'c1'),
  ]
  await delay(0)
  t.deepEqual(names(), ['a1', 'b1'])
  held.get('a1')?.release()
  await delay(0)
  t.deepEqual(names(), ['a1', 'b1', 'a2', 'c1'])
  held.get('b1')?.shrinkTo(0)
  held.get('b1')?.release()
  await Promise.all(waiting)
  t.deepEqual(names(), ['a1', 'b1', 'a2', 'c1', 'a3'])
})

test('what asks for more than a share gets the whole share, when nobody of its key holds any', async (t) => {
  const { held, take, names } = noting(new ByteBudget({ key: 60, all: 100 }))
  const waiting = [take('a', 1, 'a1'), take('a', 1000, 'a2')]
  await delay(0)
  t.deepEqual(names(), ['a1'])
  held.get('a1')?.release()
  await Promise.all(waiting)
  t.deepEqual(names(), ['a1', 'a2'])
})

test('a request that waits too long is told whose share is spent; one whose client goes leaves the line', async (t) => {
  const budget = new ByteBudget({ key: 60, all: 100 })
  const first = await budget.take('a', 60)
  await budget.take('b', 40)
  const spent = async (key: string): Promise<unknown> => {
    try {
      return await budget.take(key, 60, 1)
    } catch (cause) {
      return cause instanceof BudgetSpent ? cause.by : cause
    }
  }
  t.is(await spent('a'), 'key')
  t.is(await spent('c'), 'all')
  const gone = new AbortController()
  const left = Promise.resolve(budget.take('c', 100, undefined, () => gone.signal))
  const next = Promise.resolve(budget.take('d', 50))
  gone.abort(new Error('gone'))
  await t.throwsAsync(left, { message: 'gone' })
  first.release()
  t.truthy(await next)
})

test('work that finds the slice of a turn used up comes in a later turn, and owners take turns', async (t) => {
  const slice = new LoopSlice(() => 0)
  const order: string[] = []
  const work = (owner: string, name: string): Promise<void> =>
    new Promise((resolve) =>
      slice.queue(owner, () => {
        order.push(name)
        resolve()
      }),
    )
  t.true(slice.mayBegin())
  t.false(slice.mayBegin())
  let turns = 0
  const counting = setInterval(() => (turns += 1), 0)
  await Promise.all([work('a', 'a1'), work('a', 'a2'), work('a', 'a3'), work('b', 'b1')])
  clearInterval(counting)
  t.deepEqual(order, ['a1', 'b1', 'a2', 'a3'])
  t.is(slice.waiting, 0)
})

test('long bodies of one key wait for its share of memory, and are 429 after five seconds', async (t) => {
  let letGo = (): void => undefined
  const until = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const { baseUrl } = await serve(t, {
    ...echoing,
    validateAccount: () => TE.fromTask(() => until.then(() => ({ account: {}, warnings: [] }))),
  })
  const long = JSON.stringify('x'.repeat(bodyLimitBytes - 2))
  const sent = [1, 2, 3].map(() => post(baseUrl + validatePath, long))
  const refused = await Promise.race(sent)
  t.is(refused.headers.get('retry-after'), '2')
  t.is(await problemIn(t, refused), '429 throttled')
  letGo()
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  t.deepEqual(statuses.toSorted(), [200, 200, 429])
  t.is((await post(baseUrl + validatePath, long)).status, 200)
})

test('memory that is lent to requests of one connection just as it goes away is given back', async (t) => {
  let letGo = (): void => undefined
  const until = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let tellRead = (): void => undefined
  const allRead = new Promise<void>((resolve) => {
    tellRead = resolve
  })
  const { baseUrl, port, logged } = await serve(t, {
    validateAccount: () => TE.fromTask(() => until.then(() => ({ account: {}, warnings: [] }))),
    transferStatus: () => TE.fromTask(async () => (tellRead(), new Promise<never>(() => undefined))),
  })
  const long = JSON.stringify('x'.repeat(bodyLimitBytes - 2))
  // Two of them are worked on, and three wait for memory when the last request is read.
  const sent = `${postHead(validatePath, `Content-Length: ${long.length}`)}${long}`.repeat(5)
  const socket = connect(port, '127.0.0.1')
  socket.write(`${sent}GET ${statusPath}A/B/ HTTP/1.1\r\nHost: x\r\nAuthorization: Token good\r\n\r\n`)
  await allRead
  socket.destroy()
  await once(socket, 'close')
  while (logged.length < 6) await delay(1)
  letGo()
  t.is((await post(baseUrl + validatePath, long)).status, 200)
})

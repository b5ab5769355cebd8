import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { KeyRate } from '@account-import/adapter-http-koa'
import { type AuditTrail, portFailure, type RateUse } from '@account-import/core'
import { makeUseCases } from '@account-import/core/fp'
import { E } from '@account-import/core/adapter-kit'
import test, { type ExecutionContext } from 'ava'
import { BudgetSpent, ByteBudget, type Held, LoopSlice } from '@account-import/adapter-http-koa/testing'
import { bodyLimitBytes } from '@account-import/http-contract'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { post, problemIn, serve, stagePath, statusPath, validatePath } from './support/serve.js'
import { echoing, unforeseen } from './support/some-use-cases.js'
import { postHead } from './support/raw-exchange.js'
import { once as happening, type Once } from '../support/once.js'
import { gasAccount } from '../support/samples.js'
import { setUp } from '../support/set-up.js'
import { type GraphqlBody, sendGraphql } from './support/graphql.js'

/** Use cases whose validation waits until the test releases it. */
const waiting = ({ happened }: Once) => ({
  ...echoing,
  validateAccount: async () => {
    await happened
    return E.right({ account: {}, ...unforeseen })
  },
})

test('a key has a limited number of requests in progress, and more after these have ended', async (t) => {
  const letGo = happening()
  const { baseUrl } = await serve(t, waiting(letGo), { limits: { maxInFlight: 2 } })
  const sent = [1, 2].map(() => post(baseUrl + validatePath, '{}'))
  // Both are there when a third one is refused.
  let refused = await post(baseUrl + stagePath, '{}')
  while (refused.status !== 429) refused = await post(baseUrl + stagePath, '{}')
  t.is(refused.headers.get('retry-after'), '1')
  t.is(await problemIn(t, refused), '429 throttled')
  letGo.happen()
  for (const answer of sent) t.is((await answer).status, 200)
  t.is((await post(baseUrl + stagePath, '{}')).status, 201)
})

/** Counts in memory as a store does, for several servers. */
const counting = () => {
  const used = new Map<string, number>()
  const uses: RateUse[] = []
  return {
    used,
    uses,
    use: async (use: RateUse) => {
      uses.push(use)
      const name = `${use.subject} ${use.beginsAt}`
      const total = (used.get(name) ?? 0) + use.amount
      used.set(name, total)
      return E.right(total)
    },
  }
}

test('requests above the rate of their key are throttled until the next window, and headers have the remainder', async (t) => {
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

test('the service sends no rate headers without a rate, and keys of organisations have rates of their own', async (t) => {
  const { baseUrl } = await serve(t, echoing)
  t.is((await post(baseUrl + validatePath, '{}')).headers.get('ratelimit'), null)
  const rate = new KeyRate(counting(), { requests: 1, seconds: 60 })
  const now = Date.now()
  t.false((await rate.take('a', now)).isOver)
  t.true((await rate.take('a', now)).isOver)
  t.false((await rate.take('b', now)).isOver)
  t.false((await rate.take('a', now + 60_000)).isOver)
})

test('several servers together grant at most the limit, in few round trips', async (t) => {
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

test('requests are granted while the store of the counts fails, and the store is not called again for a second', async (t) => {
  let asked = 0
  const rate = new KeyRate(
    {
      use: async () => {
        asked += 1
        return E.left(portFailure('unavailable', 'rateLimits', 'use', new Error('away')))
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

const ownerOf = (text: string) => {
  const [organisation = '', key = ''] = text.split('/')
  return { organisation, key }
}

/** Notes the order in which requests get their bytes. */
const noting = (budget: ByteBudget) => {
  const held = new Map<string, Held>()
  return {
    held,
    /** `owner`: organisation and key. */
    take: async (owner: string, bytes: number, name: string): Promise<void> => {
      held.set(name, await budget.take(ownerOf(owner), bytes))
    },
    names: () => [...held.keys()],
  }
}

test('an organisation that holds its share waits alone, and organisations that wait take turns', async (t) => {
  const { held, take, names } = noting(new ByteBudget({ organisation: 60, all: 100 }))
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

test('an organisation with six keys gets one share and every other turn, and its keys take turns', async (t) => {
  const { held, take, names } = noting(new ByteBudget({ organisation: 60, all: 100 }))
  const keys = [1, 2, 3, 4, 5, 6].map((key) => `a/${key}`)
  const waiting = [...keys, ...keys].map((owner, index) =>
    take(owner, 30, `${owner} ${Math.floor(index / 6)}`),
  )
  waiting.push(take('b/1', 40, 'b1'), take('b/1', 60, 'b2'))
  await delay(0)
  t.deepEqual(names(), ['a/1 0', 'a/2 0', 'b1'], 'two of the attacker, whatever its keys')
  held.get('a/1 0')?.release()
  await delay(0)
  t.deepEqual(names().slice(3), ['a/3 0'])
  held.get('b1')?.release()
  await delay(0)
  held.get('a/2 0')?.release()
  await delay(0)
  t.deepEqual(names().slice(4), ['b2'], 'the neighbour is next')
  for (let at = 0; at < names().length; at += 1) {
    held.get(names()[at] as string)?.release()
    await delay(0)
  }
  await Promise.all(waiting)
  t.deepEqual(
    names().filter((name) => name.startsWith('a')),
    [0, 1].flatMap((time) => keys.map((owner) => `${owner} ${time}`)),
  )
})

test('what asks for more than a share gets the whole share, when nobody of its organisation holds any', async (t) => {
  const { held, take, names } = noting(new ByteBudget({ organisation: 60, all: 100 }))
  const waiting = [take('a', 1, 'a1'), take('a', 1000, 'a2')]
  await delay(0)
  t.deepEqual(names(), ['a1'])
  held.get('a1')?.release()
  await Promise.all(waiting)
  t.deepEqual(names(), ['a1', 'a2'])
})

test('a request that waits too long is told whose share is spent; one whose client goes leaves the line', async (t) => {
  const budget = new ByteBudget({ organisation: 60, all: 100 })
  const first = await budget.take(ownerOf('a'), 60)
  await budget.take(ownerOf('b'), 40)
  const spent = async (key: string): Promise<unknown> => {
    try {
      return await budget.take(ownerOf(key), 60, 1)
    } catch (cause) {
      return cause instanceof BudgetSpent ? cause.by : cause
    }
  }
  t.is(await spent('a'), 'organisation')
  t.is(await spent('c'), 'all')
  const gone = new AbortController()
  const left = Promise.resolve(budget.take(ownerOf('c'), 100, undefined, () => gone.signal))
  const next = Promise.resolve(budget.take(ownerOf('d'), 50))
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
  const letGo = happening()
  const { baseUrl } = await serve(t, waiting(letGo))
  const long = JSON.stringify('x'.repeat(bodyLimitBytes - 2))
  const sent = [1, 2, 3].map(() => post(baseUrl + validatePath, long))
  const refused = await Promise.race(sent)
  t.is(refused.headers.get('retry-after'), '2')
  t.is(await problemIn(t, refused), '429 throttled')
  letGo.happen()
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  t.deepEqual(statuses.toSorted(), [200, 200, 429])
  t.is((await post(baseUrl + validatePath, long)).status, 200)
})

test('memory that is lent to requests of one connection just as it goes away is given back', async (t) => {
  const letGo = happening()
  const allRead = happening()
  const { baseUrl, port, logged } = await serve(t, {
    ...waiting(letGo),
    transferStatus: async () => {
      allRead.happen()
      return new Promise<never>(() => undefined)
    },
  })
  const long = JSON.stringify('x'.repeat(bodyLimitBytes - 2))
  // Two of them are worked on, and three wait for memory when the last request is read.
  const sent = `${postHead(validatePath, `Content-Length: ${long.length}`)}${long}`.repeat(5)
  const socket = connect(port, '127.0.0.1')
  socket.write(`${sent}GET ${statusPath}A/B/ HTTP/1.1\r\nHost: x\r\nAuthorization: Token good\r\n\r\n`)
  await allRead.happened
  socket.destroy()
  await once(socket, 'close')
  while (logged.length < 6) await delay(1)
  letGo.happen()
  t.is((await post(baseUrl + validatePath, long)).status, 200)
})

const login = 'mutation ($input: ObtainTokenInput!) { obtainToken(input: $input) { token refreshToken } }'

/** A service in memory with a rate; `used`: the use of each window, `recorded`: recorded uses of keys. */
const served = async (t: ExecutionContext, limit: ConstructorParameters<typeof KeyRate>[1]) => {
  const { use, used } = counting()
  const ports = inMemoryPorts()
  const recorded = { uses: 0 }
  const auditTrail = {
    ...ports.auditTrail,
    recordUse: (asked: Parameters<AuditTrail['recordUse']>[0]) => {
      recorded.uses += 1
      return ports.auditTrail.recordUse(asked)
    },
  }
  const useCases = makeUseCases({ ...ports, auditTrail })
  const made = await setUp(useCases.operator)
  const limits = { rate: new KeyRate({ use }, limit) }
  // The long bodies of other tests delay the event loop, which these tests do not measure.
  const { baseUrl } = await serve(t, useCases, { limits }, { turnstile: { lateMilliseconds: 60_000 } })
  const obtain = async (input: object) => {
    const answer = await sendGraphql(baseUrl, { query: login, variables: { input } })
    return { answer, body: (await answer.json()) as GraphqlBody }
  }
  return { ...made, baseUrl, obtain, used, recorded }
}

type Obtained = Readonly<{ obtainToken: Readonly<{ token: string; refreshToken: string }> }>

test('logins above the rate of their key are throttled, and nothing is recorded', async (t) => {
  const { obtain, apiKey, recorded } = await served(t, { requests: 3, seconds: 86_400 })
  const first = await obtain({ apiKey })
  const { refreshToken } = (first.body.data as Obtained).obtainToken
  for (let at = 1; at < 3; at += 1) t.is((await obtain({ apiKey })).body.errors, undefined)
  for (const credentials of [{ apiKey }, { refreshToken }]) {
    const { answer, body } = await obtain(credentials)
    t.deepEqual(
      body.errors?.map(({ extensions }) => extensions?.['code']),
      ['TOO_MANY_ATTEMPTS'],
    )
    t.true(Number(answer.headers.get('retry-after')) > 0)
  }
  t.is(recorded.uses, 3)
})

test('each line of a bulk request counts for the rate of its key, and the stream waits for the next window', async (t) => {
  const { obtain, apiKey, baseUrl, supplier, used } = await served(t, { requests: 4, seconds: 1 })
  const { token } = ((await obtain({ apiKey })).body.data as Obtained).obtainToken
  const numbers = Array.from({ length: 13 }, (_, at) => `A-${at}`)
  const answer = await fetch(`${baseUrl}/v1/data-import/account-import-process/bulk-validate/`, {
    method: 'POST',
    headers: { Authorization: `Token ${token}`, 'Content-Type': 'application/x-ndjson' },
    body: numbers.map((number) => JSON.stringify(gasAccount(supplier, number))).join('\n'),
  })
  t.is(answer.status, 200)
  const lines = (await answer.text()).trim().split('\n')
  t.is(lines.filter((line) => (JSON.parse(line) as { status?: number }).status === 200).length, 13)
  // One login, one request and 13 lines, at most 4 in a window.
  t.true(used.size >= 4, [...used].join(' '))
  t.true([...used.values()].every((count) => count <= 4))
})

test('each account of a bulk-process request counts for the rate of its key, and the results wait for the next window', async (t) => {
  const { obtain, apiKey, baseUrl, supplier, team, used } = await served(t, { requests: 20, seconds: 1 })
  const { token } = ((await obtain({ apiKey })).body.data as Obtained).obtainToken
  const send = (name: string, type: string, body: string): Promise<Response> =>
    fetch(`${baseUrl}/v1/data-import/account-import-process/${name}/`, {
      method: 'POST',
      headers: { Authorization: `Token ${token}`, 'Content-Type': type },
      body,
    })
  const accounts = Array.from({ length: 40 }, (_, at) => JSON.stringify(gasAccount(supplier, `A-${at}`)))
  await (await send('bulk-create-or-update', 'application/x-ndjson', accounts.join('\n'))).text()
  const before = [...used.values()].reduce((sum, count) => sum + count, 0)
  const request = { import_supplier_code: supplier, operations_team_name: team }
  const answer = await send('bulk-process', 'application/json', JSON.stringify(request))
  const lines = (await answer.text()).trim().split('\n')
  t.deepEqual(JSON.parse(lines.at(-1) ?? ''), { summary: { received: 40, created: 40, failed: 0 } })
  const after = [...used.values()].reduce((sum, count) => sum + count, 0)
  t.true(after - before > 40, `${after - before} counted`)
  t.true([...used.values()].every((count) => count <= 20))
})

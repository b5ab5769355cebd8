import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { KeyRate } from '@account-import/adapter-http-koa'
import { type AuditTrail, portFailure, type RateUse } from '@account-import/core'
import { E, makeUseCases } from '@account-import/core/fp'
import test, { type ExecutionContext } from 'ava'
import { BodyPlaces } from '@account-import/adapter-http-koa/testing'
import { bodyLimitBytes } from '@account-import/http-contract'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { post, problemIn, serve, stagePath, validatePath } from './support/serve.js'
import { authenticate, echoing, unforeseen } from './support/some-use-cases.js'
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

/** Notes the order in which requests get their places. `owner`: organisation and key. */
const noting = (places: BodyPlaces, bytes = 200_000) => {
  const held = new Map<string, () => void>()
  return {
    held,
    take: async (owner: string, name: string, gone = new AbortController().signal): Promise<void> => {
      const [organisation = '', key = ''] = owner.split('/')
      held.set(name, await places.take({ organisation, key }, bytes, gone))
    },
    names: () => [...held.keys()],
  }
}

test('a key has two places for long bodies, its organisation four, and all together have eight', async (t) => {
  const { held, take, names } = noting(new BodyPlaces())
  const keys = [1, 2, 3].map((key) => `a/${key}`)
  const waiting = keys.flatMap((owner) => [0, 1, 2].map((time) => take(owner, `${owner} ${time}`)))
  waiting.push(take('b/1', 'b1'), take('b/2', 'b2'), take('c/1', 'c1'), take('c/1', 'c2'), take('d/1', 'd1'))
  await delay(0)
  t.deepEqual(names(), ['a/1 0', 'a/1 1', 'a/2 0', 'a/2 1', 'b1', 'b2', 'c1', 'c2'])
  held.get('a/1 0')?.()
  await delay(0)
  t.deepEqual(names().slice(8), ['a/1 2'], 'organisations take turns')
  held.get('a/1 1')?.()
  await delay(0)
  t.deepEqual(names().slice(9), ['d1'])
  for (let at = 0; at < names().length; at += 1) {
    held.get(names()[at] as string)?.()
    await delay(0)
  }
  await Promise.all(waiting)
  t.is(names().length, 14)
})

test('bodies of 16 KiB, and shorter lines, have places of their own kinds', async (t) => {
  const places = new BodyPlaces()
  const { take, names } = noting(places, 16_384)
  for (let time = 0; time < 20; time += 1) void take('a/1', `a/1 ${time}`)
  for (let time = 0; time < 20; time += 1) void take('a/2', `a/2 ${time}`)
  for (let time = 0; time < 20; time += 1) void take('b/1', `b/1 ${time}`)
  const long = noting(places)
  await long.take('a/1', 'long')
  const short = noting(places, 16_383)
  for (let time = 0; time < 520; time += 1) void short.take('a/1', `short ${time}`)
  await delay(0)
  t.is(short.names().length, 512)
  const count = (owner: string): number => names().filter((name) => name.startsWith(owner)).length
  t.deepEqual([count('a/1'), count('a/2'), count('b/1'), long.names()], [16, 8, 8, ['long']])
})

test('a long body whose client disconnects leaves the queue, and one that waits too long gets 429 or 503', async (t) => {
  const places = new BodyPlaces()
  const { take } = noting(places)
  const gone = new AbortController()
  for (const key of ['a/1', 'a/1', 'b/1', 'b/1', 'c/1', 'c/1', 'd/1', 'd/2']) await take(key, key)
  const left = take('e/1', 'e', gone.signal)
  gone.abort(new Error('gone'))
  await t.throwsAsync(left, { message: 'gone' })
  const stay = new AbortController().signal
  const refusals = await Promise.all([
    places.takeSoon({ organisation: 'a', key: '1' }, 200_000, stay),
    places.takeSoon({ organisation: 'e', key: '1' }, 200_000, stay),
  ])
  t.deepEqual(refusals, [
    E.left({ _tag: 'Throttled', retryAfterSeconds: 2 }),
    E.left({ _tag: 'ServiceBusy', retryAfterSeconds: 2 }),
  ])
})

test('a third long body of a key waits for a place, and gets 429 after five seconds', async (t) => {
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

test('places of requests whose connection closes are given back, also one that is given just then', async (t) => {
  const letGo = happening()
  const thirdWaits = happening()
  let requests = 0
  const { baseUrl, port, logged } = await serve(t, {
    ...waiting(letGo),
    authenticate: async (token) => {
      requests += 1
      if (requests === 3) thirdWaits.happen()
      return authenticate(token)
    },
  })
  const long = JSON.stringify('x'.repeat(bodyLimitBytes - 2))
  const begin = postHead(validatePath, `Content-Length: ${long.length}`)
  const socket = connect(port, '127.0.0.1')
  socket.write(`${`${begin}${long}`.repeat(2)}${begin}`)
  await thirdWaits.happened
  socket.destroy()
  await once(socket, 'close')
  while (logged.length < 3) await delay(1)
  letGo.happen()
  const statuses = await Promise.all(
    [1, 2].map(async () => (await post(baseUrl + validatePath, long)).status),
  )
  t.deepEqual(statuses, [200, 200])
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
  const { baseUrl } = await serve(t, useCases, { limits }, { lateMilliseconds: 60_000 })
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

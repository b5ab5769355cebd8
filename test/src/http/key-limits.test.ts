import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { RateLimit } from '@account-import/adapter-http-koa'
import type { AuditTrail } from '@account-import/core'
import { E, makeUseCases } from '@account-import/core/fp'
import test, { type ExecutionContext } from 'ava'
import { BodyPool, KeyLimits } from '@account-import/adapter-http-koa/testing'
import { bodyLimitBytes } from '@account-import/http-contract'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { post, problemIn, serve, stagePath, validatePath } from './support/serve.js'
import { authenticate, echoing, unforeseen } from './support/some-use-cases.js'
import { postHead } from './support/raw-exchange.js'
import { counted } from '../support/counted.js'
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

test('requests above the rate of their key are throttled until the next window, and headers have the remainder', async (t) => {
  const { baseUrl } = await serve(t, echoing, { limits: { rate: { requests: 3, seconds: 86_400 } } })
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
})

test('the service sends no rate headers without a rate', async (t) => {
  const { baseUrl } = await serve(t, echoing)
  t.is((await post(baseUrl + validatePath, '{}')).headers.get('ratelimit'), null)
})

test('each key has a rate of its own', (t) => {
  const limits = new KeyLimits({ rate: { requests: 1, seconds: 86_400 } })
  t.is(limits.secondsToWait('a'), 0)
  t.true(limits.secondsToWait('a') > 0)
  t.is(limits.secondsToWait('b'), 0)
})

/** Notes the order in which requests get room. `owner`: organisation and key, whose ids are unique. */
const noting = (pool: BodyPool) => {
  const held = new Map<string, () => void>()
  return {
    take: async (
      owner: string,
      name: string,
      bytes = 800_000,
      gone = new AbortController().signal,
    ): Promise<void> => {
      const organisation = owner.replace(/\d/, '')
      held.set(name, await pool.take({ organisation, key: owner }, bytes, gone))
    },
    /** Gives room back, and waits until others have it. */
    release: async (name: string): Promise<void> => {
      held.get(name)?.()
      await delay(0)
    },
    /** The names since the last call. */
    names: (() => {
      let seen = 0
      return () => [...held.keys()].slice(seen, (seen = held.size))
    })(),
  }
}

test('a key has room for two of the longest bodies, its organisation for four, and all together for eight', async (t) => {
  const { take, release, names } = noting(new BodyPool())
  for (const owner of ['a1', 'a1', 'a1', 'a2', 'a2', 'a3', 'b1', 'b2', 'c1', 'c2', 'd1'])
    void take(owner, `${owner} ${Math.random()}`)
  await delay(0)
  const first = names()
  t.deepEqual(
    first.map((name) => name.slice(0, 2)),
    ['a1', 'a1', 'a2', 'a2', 'b1', 'b2', 'c1', 'c2'],
  )
  // The organisation has room again, and its requests are in order: that of `a1` was before that of `a3`.
  await release(first[0] ?? '')
  t.deepEqual(
    names().map((name) => name.slice(0, 2)),
    ['a1'],
  )
  await release(first[1] ?? '')
  t.deepEqual(
    names().map((name) => name.slice(0, 2)),
    ['a3'],
  )
  await release(first[4] ?? '')
  t.deepEqual(
    names().map((name) => name.slice(0, 2)),
    ['d1'],
  )
})

test('none overtakes a body that waits for room, and only the same key or organisation waits behind a share', async (t) => {
  const { take, release, names } = noting(new BodyPool())
  for (const owner of ['a1', 'a1', 'a2', 'a2', 'b1', 'b1']) await take(owner, `${owner} ${names().length}`)
  names()
  void take('b1', 'long of b1')
  void take('b1', 'short of b1', 10)
  void take('b2', 'short of b2', 10)
  await delay(0)
  t.deepEqual(names(), ['short of b2'], 'the key b1 has used its share')
  void take('c1', 'c1')
  void take('d1', 'long of d1')
  void take('e1', 'short of e1', 10)
  void take('a3', 'short of a3', 10)
  await delay(0)
  t.deepEqual(names(), ['c1'], 'a long body waits for room, and short ones behind it')
  await release('short of b2')
  t.deepEqual(names(), ['long of d1'], 'it has the room that it waited for')
  await release('c1')
  t.deepEqual(names(), ['short of e1'], 'the organisation a has used its share')
})

test('bodies count their bytes, 4 KiB at least and 768 KiB at most, and give them back once', async (t) => {
  const pool = new BodyPool()
  const { take, names } = noting(pool)
  const stay = new AbortController().signal
  for (let line = 0; line < 400; line += 1) void take('a1', `a ${line}`, 1)
  for (let line = 0; line < 20; line += 1) void take('b1', `b ${line}`, 131_072)
  for (let line = 0; line < 20; line += 1) void take('c1', `c ${line}`, 5_242_880)
  await delay(0)
  const counts = names().map((name) => name[0] ?? '')
  t.deepEqual(counted(counts), { a: 384, b: 12, c: 2 })
  const release = await pool.take({ organisation: 'd', key: 'd1' }, 800_000, stay)
  release()
  release()
  void take('d1', 'd 1')
  void take('d1', 'd 2')
  void take('d1', 'd 3')
  await delay(0)
  t.deepEqual(names(), ['d 1', 'd 2'])
})

test('a body whose client disconnects leaves the queue, and one that waits too long gets 429 or 503', async (t) => {
  const pool = new BodyPool()
  const { take, names } = noting(pool)
  for (const owner of ['a1', 'a1', 'b1', 'b1', 'c1', 'c1', 'd1', 'd2'])
    await take(owner, `${owner} ${Math.random()}`)
  names()
  const gone = new AbortController()
  const left = take('e1', 'e', 800_000, gone.signal)
  const stay = new AbortController().signal
  const late = Promise.all([
    pool.takeSoon({ organisation: 'a', key: 'a1' }, 200_000, stay),
    pool.takeSoon({ organisation: 'e', key: 'e2' }, 200_000, stay),
  ])
  gone.abort(new Error('gone'))
  await t.throwsAsync(left, { message: 'gone' })
  await t.throwsAsync(pool.takeSoon({ organisation: 'e', key: 'e3' }, 1, gone.signal), { message: 'gone' })
  t.deepEqual(await late, [
    E.left({ _tag: 'Throttled', retryAfterSeconds: 2 }),
    E.left({ _tag: 'ServiceBusy', retryAfterSeconds: 2 }),
  ])
})

test('a third long body of a key waits for room, and gets 429 after five seconds', async (t) => {
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

test('the room of requests whose connection closes is given back, also what is given just then', async (t) => {
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

/** A service in memory with a rate; `recorded`: recorded uses of keys. */
const served = async (t: ExecutionContext, rate: RateLimit) => {
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
  // The long bodies of other tests delay the event loop, which these tests do not measure.
  const { baseUrl } = await serve(t, useCases, { limits: { rate } }, { lateMilliseconds: 60_000 })
  const obtain = async (input: object) => {
    const answer = await sendGraphql(baseUrl, { query: login, variables: { input } })
    return { answer, body: (await answer.json()) as GraphqlBody }
  }
  return { ...made, baseUrl, obtain, recorded }
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

/** The number of the present window of a second. */
const second = (): number => Math.floor(Date.now() / 1000)

test('each line of a bulk request counts for the rate of its key, and the stream waits for the next window', async (t) => {
  const { obtain, apiKey, baseUrl, supplier } = await served(t, { requests: 4, seconds: 1 })
  const { token } = ((await obtain({ apiKey })).body.data as Obtained).obtainToken
  const numbers = Array.from({ length: 13 }, (_, at) => `A-${at}`)
  const begun = second()
  const answer = await fetch(`${baseUrl}/v1/data-import/account-import-process/bulk-validate/`, {
    method: 'POST',
    headers: { Authorization: `Token ${token}`, 'Content-Type': 'application/x-ndjson' },
    body: numbers.map((number) => JSON.stringify(gasAccount(supplier, number))).join('\n'),
  })
  t.is(answer.status, 200)
  const lines = (await answer.text()).trim().split('\n')
  t.is(lines.filter((line) => (JSON.parse(line) as { status?: number }).status === 200).length, 13)
  // One request and 13 lines, at most 4 in a window.
  t.true(second() - begun >= 3)
})

test('each account of a bulk-process request counts for the rate of its key, and the results wait for the next window', async (t) => {
  const { obtain, apiKey, baseUrl, supplier, team } = await served(t, { requests: 20, seconds: 1 })
  const { token } = ((await obtain({ apiKey })).body.data as Obtained).obtainToken
  const send = (name: string, type: string, body: string): Promise<Response> =>
    fetch(`${baseUrl}/v1/data-import/account-import-process/${name}/`, {
      method: 'POST',
      headers: { Authorization: `Token ${token}`, 'Content-Type': type },
      body,
    })
  const accounts = Array.from({ length: 40 }, (_, at) => JSON.stringify(gasAccount(supplier, `A-${at}`)))
  await (await send('bulk-create-or-update', 'application/x-ndjson', accounts.join('\n'))).text()
  const begun = second()
  const request = { import_supplier_code: supplier, operations_team_name: team }
  const answer = await send('bulk-process', 'application/json', JSON.stringify(request))
  const lines = (await answer.text()).trim().split('\n')
  t.deepEqual(JSON.parse(lines.at(-1) ?? ''), { summary: { received: 40, created: 40, failed: 0 } })
  // One request and 40 accounts, at most 20 in a window.
  t.true(second() - begun >= 2)
})

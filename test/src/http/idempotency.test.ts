import { gzipSync } from 'node:zlib'
import { type ClaimedRequest, portFailure, type UseCases } from '@account-import/core'
import { E } from '@account-import/core/fp'
import { failing, inMemoryPorts } from '@account-import/core/in-memory'
import test from 'ava'
import { once } from '../support/once.js'
import { found } from './support/for-clients.js'
import { issuing as tokens, sendGraphql } from './support/graphql.js'
import { answeringOnce, countingStages, isReplayed, keyed } from './support/answering-once.js'
import { postHead, rawExchange } from './support/raw-exchange.js'
import {
  get,
  post,
  problemIn,
  processPath,
  serve,
  stagePath,
  statusPath,
  validatePath,
} from './support/serve.js'
import { echoing } from './support/some-use-cases.js'

/** The part of a replayed answer that has to be the same. */
const partsOf = async (answer: Response) => ({
  status: answer.status,
  body: await answer.text(),
  headers: ['content-type', 'import-warnings', 'import-warnings-total', 'cache-control'].map((name) =>
    answer.headers.get(name),
  ),
})

test('a repeated request with its key gets the first response, and is done once', async (t) => {
  const { counted, stageAccount } = countingStages()
  const { baseUrl, port } = await serve(t, { ...answeringOnce(), stageAccount })
  const first = await post(baseUrl + stagePath, '{"a":1}', keyed('k'))
  t.false(first.headers.has('idempotency-replayed'))
  const expected = await partsOf(first)
  t.deepEqual([expected.status, expected.headers[2]], [201, '1'])
  const packed = { 'Content-Encoding': 'gzip' }
  for (const again of [
    await post(baseUrl + stagePath, '{"a":1}', keyed('k')),
    await post(baseUrl + stagePath.replace(/\/$/, ''), '{"a":1}', keyed('k')),
    await post(baseUrl + stagePath, gzipSync('{"a":1}'), keyed('k', packed)),
  ]) {
    t.true(isReplayed(again))
    t.not(again.headers.get('x-request-id'), first.headers.get('x-request-id'))
    t.deepEqual(await partsOf(again), expected)
  }
  for (const proxied of [`http://proxy.example${stagePath}`, `HTTPS://h1.example:81${stagePath}`]) {
    const head = postHead(proxied, 'Idempotency-Key: k', 'Content-Length: 7', 'Connection: close')
    t.regex(await rawExchange(port, [head, '{"a":1}']), /^HTTP\/1\.1 201 [^]*idempotency-replayed: true/i)
  }
  t.is(counted.stages, 1)
})

test('another key, path or organisation, or no key, makes another request', async (t) => {
  const { counted, stageAccount } = countingStages()
  const { baseUrl } = await serve(t, { ...echoing, ...answeringOnce(), stageAccount })
  await post(baseUrl + stagePath, '{}', keyed('k'))
  for (const answer of [
    await post(baseUrl + stagePath, '{}', keyed('K')),
    await post(baseUrl + stagePath, '{}', keyed('k', { Authorization: 'Token other' })),
    await post(baseUrl + stagePath, '{}'),
    await post(baseUrl + stagePath, '{}'),
    await post(baseUrl + validatePath, '{}', keyed('k')),
  ]) {
    t.false(isReplayed(answer))
    t.true(answer.ok)
  }
  t.is(counted.stages, 5)
})

test('a key that was used for another body gets 422, and nothing is done', async (t) => {
  const { counted, stageAccount } = countingStages()
  const { baseUrl } = await serve(t, { ...answeringOnce(), stageAccount })
  t.is((await post(baseUrl + stagePath, '{"a":1,"b":2}', keyed('k'))).status, 201)
  for (const body of ['{"a":1,"b":3}', '{"b":2,"a":1}', '{"a":1,"b":2} ', '{']) {
    const answer = await post(baseUrl + stagePath, body, keyed('k'))
    t.is(await problemIn(t, answer), '422 idempotency_key_reused')
  }
  t.true(isReplayed(await post(baseUrl + stagePath, '{"a":1,"b":2}', keyed('k'))))
  t.is(counted.stages, 1)
})

test('a body that cannot be read gets the same refusal when it is repeated', async (t) => {
  const { baseUrl } = await serve(t, answeringOnce())
  for (const [key, body, expected] of [
    ['a', '{"a":', '400 parse_error'],
    ['b', '['.repeat(33), '400 payload_too_deep'],
  ] as const) {
    t.is(await problemIn(t, await post(baseUrl + stagePath, body, keyed(key))), expected)
    const again = await post(baseUrl + stagePath, body, keyed(key))
    t.true(isReplayed(again))
    t.is(await problemIn(t, again), expected)
  }
})

const unusable = ['', ' ', 'a b', 'é', 'k'.repeat(256), 'tab\tinside']

for (const key of unusable)
  test(`the key ${JSON.stringify(key.slice(0, 12))} of ${key.length} characters is refused`, async (t) => {
    const { baseUrl } = await serve(t, answeringOnce())
    const answer = await post(baseUrl + stagePath, '{}', keyed(key))
    t.is(await problemIn(t, answer), '400 invalid_idempotency_key')
  })

test('a repeated key header is refused, also with equal values', async (t) => {
  const { baseUrl } = await serve(t, answeringOnce())
  const headers = new Headers({ Authorization: 'Token good', 'Content-Type': 'application/json' })
  for (const key of ['k', 'k']) headers.append('Idempotency-Key', key)
  const answer = await fetch(baseUrl + stagePath, { method: 'POST', headers, body: '{}' })
  t.is(await problemIn(t, answer), '400 invalid_idempotency_key')
})

test('a key may have every visible ASCII character, and 255 of them', async (t) => {
  const { stageAccount } = countingStages()
  const { baseUrl } = await serve(t, { ...answeringOnce(), stageAccount })
  const visible = String.fromCharCode(...Array.from({ length: 94 }, (_, index) => 33 + index))
  for (const key of [visible, 'k'.repeat(255), '"quoted"', 'a,b']) {
    t.is((await post(baseUrl + stagePath, '{}', keyed(key))).status, 201)
    t.true(isReplayed(await post(baseUrl + stagePath, '{}', keyed(key))))
  }
})

test('a repeated request gets 409 with Retry-After while the first one runs, and then its response', async (t) => {
  const [begun, goOn] = [once(), once()]
  const { baseUrl } = await serve(t, {
    ...answeringOnce(),
    processAccount: async () => {
      begun.happen()
      await goOn.happened
      return { _tag: 'Right', right: { platformAccountNumber: 'A-1', warnings: [] } }
    },
  })
  const first = post(baseUrl + processPath, '{}', keyed('k'))
  await begun.happened
  const second = await post(baseUrl + processPath, '{}', keyed('k'))
  t.is(second.headers.get('retry-after'), '1')
  t.is(await problemIn(t, second), '409 idempotency_key_in_progress')
  const other = await post(baseUrl + processPath, '[]', keyed('k'))
  t.is(await problemIn(t, other), '422 idempotency_key_reused')
  goOn.happen()
  t.is((await first).status, 201)
  t.true(isReplayed(await post(baseUrl + processPath, '{}', keyed('k'))))
})

test('a response that cannot be stored is returned, and the log has the failure', async (t) => {
  const { counted, stageAccount } = countingStages()
  const { idempotencyRecords } = inMemoryPorts()
  const ports = { idempotencyRecords: failing(idempotencyRecords, 'keep') }
  const { baseUrl, logged } = await serve(t, { ...answeringOnce(ports), stageAccount })
  t.is((await post(baseUrl + stagePath, '{}', keyed('k'))).status, 201)
  t.like(logged[0], { status: 201, level: 'error', failure: { kind: 'unavailable', operation: 'keep' } })
  const second = await post(baseUrl + stagePath, '{}', keyed('k'))
  t.is(await problemIn(t, second), '409 idempotency_key_in_progress')
  t.is(counted.stages, 1)
})

test('the key is ignored by GET, tokens and bulk, and without a key no port is called', async (t) => {
  const { counted, stageAccount } = countingStages()
  async function* none() {}
  const { baseUrl } = await serve(t, {
    ...tokens,
    stageAccount,
    transferStatus: found,
    bulkStage: async () => E.right(none()),
  })
  const unusableKey = keyed('a b')
  t.is((await get(`${baseUrl}${statusPath}S/N/`, unusableKey)).status, 200)
  const query = 'mutation { obtainToken(input: { apiKey: "k" }) { token } }'
  t.is((await sendGraphql(baseUrl, { query }, unusableKey)).status, 200)
  const lines = { 'Content-Type': 'application/x-ndjson', ...unusableKey }
  const bulkPath = '/v1/data-import/account-import-process/bulk-create-or-update/'
  t.is((await post(baseUrl + bulkPath, '', lines)).status, 200)
  t.is((await post(baseUrl + stagePath, '{}')).status, 201)
  t.is(counted.stages, 1)
})

test('addTransactions gets the claim on the key, also with a long body, and none without a key', async (t) => {
  const told: (ClaimedRequest | undefined)[] = []
  const addTransactions: UseCases['addTransactions'] = async ({ claimed }) => {
    told.push(claimed)
    return E.right({ results: [], warnings: [] })
  }
  const useCases = { ...answeringOnce(), addTransactions }
  const { baseUrl } = await serve(t, useCases)
  const url = `${baseUrl}/v1/data-import/transactions/create/?check_previously_added=false`
  const long = JSON.stringify({ a: 'x'.repeat(300_000) })
  for (const [key, body] of [
    ['short', '{}'],
    ['long', long],
  ] as const)
    t.is((await post(url, body, keyed(key))).status, 201)
  t.is((await post(url, '{}')).status, 201)
  const [short, other, none] = told
  t.deepEqual([told.length, none], [3, undefined])
  t.is(short?.key.organisation, other?.key.organisation)
  t.not(short?.key.request, other?.key.request)
  t.not(short?.token, other?.token)
})

type Refusals = Readonly<Record<string, Awaited<ReturnType<UseCases['processAccount']>>>>

const keptRefusals: Refusals = {
  '400 import_process_does_not_exist': E.left({ _tag: 'NothingStaged' }),
  '400 dry_run_succeeded': E.left({ _tag: 'DryRunSucceeded' }),
  '400 account_failed_validation': E.left({
    _tag: 'AccountFailedValidation',
    errors: [{ detail: 'd', code: 'required', attr: 'customers' }],
    warnings: [],
  }),
}

for (const [expected, refusal] of Object.entries(keptRefusals))
  test(`the response ${expected} is stored, and the log has its code when it is replayed`, async (t) => {
    let runs = 0
    const { baseUrl, logged } = await serve(t, {
      ...answeringOnce(),
      processAccount: async () => {
        runs += 1
        return refusal
      },
    })
    const answers = [
      await post(baseUrl + processPath, '{}', keyed('k')),
      await post(baseUrl + processPath, '{}', keyed('k')),
    ]
    t.deepEqual(answers.map(isReplayed), [false, true])
    for (const answer of answers) t.is(await problemIn(t, answer), expected)
    t.is(runs, 1)
    const [first, again] = logged.map(({ code, errors, replayed }) => ({ code, errors, replayed }))
    t.deepEqual(again, { ...first, replayed: true })
    t.is(`400 ${again?.code}`, expected)
  })

const passingRefusals: Refusals = {
  '429 account_import_in_progress': E.left({ _tag: 'AccountProcessedElsewhere', retryAfterSeconds: 1 }),
  '429 concurrency_limit_reached': E.left({ _tag: 'ConcurrencyLimitReached', retryAfterSeconds: 1 }),
  '500 error': E.left(portFailure('unexpected', 'accounts', 'create', new Error('x'))),
  '503 service_unavailable': E.left(portFailure('unavailable', 'accounts', 'create', new Error('x'))),
}

for (const [expected, refusal] of Object.entries(passingRefusals))
  test(`a repeated request runs again after ${expected}, and another body stays refused`, async (t) => {
    let runs = 0
    const { baseUrl } = await serve(t, {
      ...answeringOnce(),
      processAccount: async () => {
        runs += 1
        return runs === 1 ? refusal : E.right({ platformAccountNumber: 'A-1', warnings: [] })
      },
    })
    t.is(await problemIn(t, await post(baseUrl + processPath, '{}', keyed('k'))), expected)
    const other = await post(baseUrl + processPath, '{"a":1}', keyed('k'))
    t.is(await problemIn(t, other), '422 idempotency_key_reused')
    const second = await post(baseUrl + processPath, '{}', keyed('k'))
    t.deepEqual([second.status, isReplayed(second)], [201, false])
    t.true(isReplayed(await post(baseUrl + processPath, '{}', keyed('k'))))
    t.is(runs, 2)
  })

test('a refusal before the body is read, and a throw, leave the key unused', async (t) => {
  let runs = 0
  const { baseUrl } = await serve(t, {
    ...answeringOnce(),
    stageAccount: async () => {
      runs += 1
      if (runs === 1) throw new Error('a bug')
      return E.right({ outcome: 'created', importSupplier: 'S', externalAccountNumber: 'N', warnings: [] })
    },
  })
  const send = (headers: Record<string, string> = {}, body = '{}') =>
    post(baseUrl + stagePath, body, keyed('k', headers))
  for (const [expected, headers] of [
    ['401 authentication_failed', { Authorization: 'Token bad' }],
    ['401 token_expired', { Authorization: 'Token old' }],
    ['403 permission_denied', { Authorization: 'Token only-read' }],
    ['406 not_acceptable', { Accept: 'text/html' }],
    ['415 unsupported_media_type', { 'Content-Type': 'text/plain' }],
  ] as const)
    t.is(await problemIn(t, await send(headers)), expected)
  t.is(await problemIn(t, await send({}, `"${'a'.repeat(5_242_880)}"`)), '413 payload_too_large')
  t.is(runs, 0)
  t.is(await problemIn(t, await send()), '500 error')
  t.is((await send()).status, 201)
  t.true(isReplayed(await send()))
})

import {
  accept,
  authenticate,
  decodeAddress,
  limit,
  noSteps,
  readBody,
  readIdempotencyKey,
  readImportRun,
  BodyPool,
  type Received,
} from '@account-import/adapter-http-koa/testing'
import { E } from '@account-import/core/fp'
import { endpoints } from '@account-import/http-contract'
import test from 'ava'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { someUseCases } from './support/some-use-cases.js'

/** A request with headers and a body, as Koa gives it to a step. */
const received = (headers: Readonly<Record<string, string>> = {}, url = '/', body = ''): Received => {
  const req = new IncomingMessage(new Socket())
  Object.assign(req, { headers, url, complete: true })
  req.headersDistinct = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
  req.push(body)
  req.push(null)
  const ctx = {
    req,
    res: new ServerResponse(req),
    url,
    query: Object.fromEntries(new URL(url, 'http://x').searchParams),
    accepts: () => false,
    request: { headers, type: headers['content-type'] ?? '', charset: '' },
    state: { accountImport: { requestId: 'r', route: '' } },
  }
  const gone = new AbortController().signal
  return { ctx: ctx as unknown as Received['ctx'], captures: [], gone: () => gone }
}

const identified = async () => {
  const known = received({ authorization: 'Token good' })
  const identity = await authenticate(someUseCases(), endpoints.stageAccount)(known)
  if (E.isLeft(identity)) throw new Error(identity.left._tag)
  return identity.right
}

const tagOf = (outcome: E.Either<Readonly<{ _tag: string }>, unknown>): string =>
  E.isLeft(outcome) ? outcome.left._tag : 'passed'

test('steps run in their order, each with what is known so far, up to the first that refuses', async (t) => {
  const ran: string[] = []
  const steps = noSteps<{ start: number }>()
    .step(({ start }) => E.right({ second: start + 1 }))
    .step(async ({ second }) => E.right({ third: second + 1 }))
    .step(({ start, second, third }) => {
      ran.push('fourth')
      return third > 3 ? E.left({ _tag: 'NothingHere' as const }) : E.right({ sum: start + second + third })
    })
    .step(({ sum }) => {
      ran.push('fifth')
      return E.right({ twice: 2 * sum })
    })
  t.deepEqual(await steps.run({ start: 1 }), E.right({ start: 1, second: 2, third: 3, sum: 6, twice: 12 }))
  t.deepEqual(await steps.run({ start: 2 }), E.left({ _tag: 'NothingHere' }))
  t.deepEqual(ran, ['fourth', 'fifth', 'fourth'])
})

test('accept refuses a media type that the endpoint does not answer', async (t) => {
  const step = accept(endpoints.stageAccount)
  for (const type of ['*/*', 'application/json'])
    t.is(tagOf(await step(received({ accept: type }))), 'passed')
  t.is(tagOf(await step(received())), 'passed')
  t.is(tagOf(await step(received({ accept: 'text/html' }))), 'NotAcceptable')
})

test('authenticate adds the identity and the actor, and refuses a token without the scope', async (t) => {
  const step = authenticate(someUseCases(), endpoints.stageAccount)
  const by = (token: string) => received({ authorization: `Token ${token}` })
  t.is(tagOf(await step(received())), 'NotAuthenticated')
  t.is(tagOf(await step(by('forged'))), 'AuthenticationFailed')
  t.is(tagOf(await step(by('only-read'))), 'PermissionDenied')
  const known = by('good')
  const passed = await step(known)
  t.like(passed, { right: { identity: { organisation: 'ACME' }, by: { requestId: 'r' } } })
  t.is(known.ctx.state.accountImport.organisation, 'ACME')
})

test('limit refuses what the limits of the key refuse', async (t) => {
  const known = { ...received(), ...(await identified()) }
  const pace = async (): Promise<void> => undefined
  const throttled = E.left({ _tag: 'Throttled', retryAfterSeconds: 1 } as const)
  const passed = E.right(undefined)
  for (const [admitted, tag] of [
    [passed, 'passed'],
    [throttled, 'Throttled'],
  ] as const)
    t.is(tagOf(await limit({ admit: () => admitted, pace: () => pace })(known)), tag)
  t.deepEqual(await limit({ admit: () => passed, pace: () => pace })(known), E.right({ pace }))
})

test('decodeAddress decodes path and query, and GET ignores unknown parameters', async (t) => {
  const list = decodeAddress(endpoints.accountDigests)
  const asked = (url: string, captures: readonly string[]) => ({ ...received({}, url), captures })
  t.like(await list(asked('/?limit=5', ['%ff'])), { left: { _tag: 'NothingHere' } })
  t.like(await list(asked('/?limit=5&other=1', ['AB'])), {
    right: { params: { import_supplier_code: 'AB' }, query: { limit: 5 } },
  })
  t.like(await list(asked('/?limit=x', ['AB'])), { left: { _tag: 'RequestNotValid' } })
  t.deepEqual(await decodeAddress(endpoints.stageAccount)(asked('/', [])), E.right({ params: {}, query: {} }))
  t.is(tagOf(await decodeAddress(endpoints.stageAccount)(asked('/?limit=1', []))), 'RequestNotValid')
})

test('readIdempotencyKey reads a key of printable characters, where the endpoint takes one', async (t) => {
  const step = readIdempotencyKey(endpoints.stageAccount)
  t.deepEqual(await step(received()), E.right({ idempotencyKey: undefined }))
  t.deepEqual(await step(received({ 'idempotency-key': 'k-1' })), E.right({ idempotencyKey: 'k-1' }))
  t.is(tagOf(await step(received({ 'idempotency-key': 'a b' }))), 'IdempotencyKeyNotValid')
  const lines = readIdempotencyKey(endpoints.bulkStage)
  t.deepEqual(await lines(received({ 'idempotency-key': 'a b' })), E.right({ idempotencyKey: undefined }))
})

test('readImportRun reads the run and the first line, where the endpoint names a run', async (t) => {
  const step = readImportRun(endpoints.stageAccount)
  const named = { 'import-run': 'run-1', 'import-run-line': '7' }
  t.deepEqual(await step(received()), E.right({ importRun: undefined }))
  t.deepEqual(await step(received(named)), E.right({ importRun: { id: 'run-1', firstLine: 7 } }))
  t.is(tagOf(await step(received({ ...named, 'import-run-line': 'x' }))), 'RequestNotValid')
  t.deepEqual(
    await readImportRun(endpoints.validateAccount)(received(named)),
    E.right({ importRun: undefined }),
  )
})

test('readBody reads the bytes of JSON, nothing where there is no body, and refuses another media type', async (t) => {
  const pool = new BodyPool()
  const step = readBody({ pool }, endpoints.stageAccount)
  const sent = async (type: string, more: Readonly<Record<string, string>> = {}) => ({
    ...received({ 'content-type': type, 'content-length': '2', ...more }, '/', '{}'),
    ...(await identified()),
    pace: undefined,
  })
  const passed = await step(await sent('application/json'))
  t.is(E.isRight(passed) && Buffer.from(passed.right.bytes ?? []).toString(), '{}')
  t.is(tagOf(await step(await sent('text/plain'))), 'UnsupportedMediaType')
  t.is(tagOf(await step(await sent('application/json', { 'content-length': '5242881' }))), 'PayloadTooLarge')
  const none = readBody({ pool }, endpoints.accountDigests)
  t.like(await none(await sent('text/plain')), { right: { bytes: undefined, lines: [] } })
})

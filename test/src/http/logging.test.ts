import type { UseCases } from '@account-import/core'
import { instantOf, portFailure } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'
import test from 'ava'
import { get, post, processPath, serve, stagePath, statusPath, validatePath } from './support/serve.js'
import { rawExchange } from './support/raw-exchange.js'

const canary = 'kanarienvogel'
const cause = Object.assign(new Error(`INSERT ${canary}`), { code: 'ER_DUP_ENTRY', sql: canary, errno: 1062 })
const entry = { detail: canary, code: 'unknown_field', attr: canary } as const

/** Use cases that carry the canary wherever a value can go. */
const chatty: Partial<UseCases> = {
  validateAccount: () => TE.right({ account: { canary }, warnings: [entry] }),
  stageAccount: () => TE.left(portFailure('unexpected', 'accountImports', 'stage', cause)),
  processAccount: () =>
    TE.left({ _tag: 'AccountAlreadyImported', externalAccountNumber: canary, platformAccountNumber: canary }),
  transferStatus: () => {
    throw Object.assign(new Error(canary), { name: `${canary} !`, code: `${canary} !` })
  },
  accountImportsPage: () => TE.left({ _tag: 'SupplierNotFound' }),
  allAccountImports: () =>
    TE.right(
      (async function* () {
        yield [
          { externalAccountNumber: canary, platformAccountNumber: canary, accountCreatedAt: instantOf(0) },
        ]
        throw cause
      })(),
    ),
  obtainToken: () => TE.left(portFailure('unavailable', 'apiKeys', 'find', cause)),
}

test('no log entry ever holds a value of a request, an answer or a cause', async (t) => {
  const { baseUrl, port, logged } = await serve(t, chatty)
  const body = JSON.stringify({ [canary]: canary })
  const lists = '/v1/data-import/all-account-import-processes'
  const headers = { 'X-Forwarded-For': canary, 'User-Agent': canary, Cookie: canary }
  await post(`${baseUrl}${validatePath}?${canary}=${canary}`, body, headers)
  await post(baseUrl + stagePath, body)
  await post(baseUrl + processPath, body)
  await post(baseUrl + stagePath, `{"${canary}`)
  await post(baseUrl + stagePath, '{}', { Authorization: `Token ${canary}` })
  await post(baseUrl + stagePath, '{}', { 'Content-Type': canary, 'Content-Encoding': canary })
  await get(`${baseUrl}${statusPath}${canary}/${canary}/`)
  await get(`${baseUrl}${statusPath}${canary}/%${canary}/`)
  await get(`${baseUrl}/${canary}`, { 'X-Request-Id': `${canary} ` + '!' })
  await get(`${baseUrl}${lists}/${canary}/?limit=${canary}&cursor=${canary}`)
  await get(`${baseUrl}${lists}/${canary}/?limit=1`)
  await (await get(`${baseUrl}${lists}/${canary}/`)).text().catch(() => undefined)
  const query = `mutation { obtainToken(input: {apiKey: "${canary}"}) { token } }`
  await post(`${baseUrl}/v1/graphql/`, JSON.stringify({ query }))
  await post(`${baseUrl}/v1/graphql/`, JSON.stringify({ query: canary }))
  await rawExchange(port, [`GET http://[${canary} HTTP/1.1\r\nConnection: close\r\n\r\n`])
  t.is(logged.length, 15)
  t.notRegex(JSON.stringify(logged), new RegExp(canary, 'i'))
  t.notRegex(JSON.stringify(logged), /INSERT|stack|\.js:|\.ts:/)
})

test('an entry says what was asked, by whom, how it ended and how long it took', async (t) => {
  const { baseUrl, logged } = await serve(t, chatty)
  const answer = await post(baseUrl + processPath, '{}', { 'X-Request-Id': 'id-1' })
  t.is(answer.status, 400)
  const [{ durationMs, ...rest } = { durationMs: -1 }] = logged
  t.true(durationMs > 0 && durationMs < 5000)
  t.deepEqual(rest, {
    event: 'request',
    level: 'info',
    requestId: 'id-1',
    method: 'POST',
    route: processPath,
    status: 400,
    aborted: false,
    organisation: 'ACME',
    apiKeyId: 'key1',
    code: 'account_already_imported',
  })
})

test('a failing port is logged by name and code and answered 500 with the request id', async (t) => {
  const { baseUrl, logged } = await serve(t, chatty)
  const answer = await post(baseUrl + stagePath, '{}', { 'X-Request-Id': 'id-2' })
  t.is(answer.status, 500)
  const text = await answer.text()
  t.notRegex(text, new RegExp(canary))
  t.like(JSON.parse(text), { code: 'error', errors: [], request_id: 'id-2' })
  t.is(logged[0]?.level, 'error')
  t.deepEqual(logged[0]?.failure, {
    kind: 'unexpected',
    port: 'accountImports',
    operation: 'stage',
    name: 'Error',
    code: 'ER_DUP_ENTRY',
  })
})

test('what is thrown unforeseen is answered 500 and logged without its words', async (t) => {
  const { baseUrl, logged } = await serve(t, chatty)
  const answer = await get(`${baseUrl}${statusPath}A/B/`)
  t.is(answer.status, 500)
  t.is(((await answer.json()) as { code: string }).code, 'error')
  t.deepEqual(logged[0]?.failure, { kind: 'unexpected', name: 'object' })
})

test('an unavailable store is a warning, not an error', async (t) => {
  const { baseUrl, logged } = await serve(t, {
    stageAccount: () => TE.left(portFailure('unavailable', 'accountImports', 'stage', cause)),
  })
  const answer = await post(baseUrl + stagePath, '{}')
  t.is(answer.status, 503)
  t.is(answer.headers.get('retry-after'), '2')
  t.is(logged[0]?.level, 'warn')
})

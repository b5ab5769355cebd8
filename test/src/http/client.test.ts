import { createClient, type JsonObject } from '@account-import/client'
import type { AccountKey, UseCases } from '@account-import/core'
import { portFailure } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'
import test from 'ava'
import { failureIn, found, issuing } from './support/for-clients.js'
import { serve } from './support/serve.js'

test('every method answers its success, with status, warnings and request id', async (t) => {
  const warnings = Array.from({ length: 30 }, (_, i) => ({
    detail: 'd',
    code: 'unknown_field' as const,
    attr: `x${i}`,
  }))
  const { baseUrl } = await serve(
    t,
    {
      ...issuing([]),
      transferStatus: found,
      validateAccount: ({ payload }) => TE.right({ account: { payload }, warnings }),
      stageAccount: () =>
        TE.right({ outcome: 'replaced', importSupplier: 'S', externalAccountNumber: 'N', warnings: [] }),
      processAccount: () => TE.right({ platformAccountNumber: 'A-1', warnings: [] }),
    },
    { basePath: '/imports' },
  )
  const client = createClient({ baseUrl: `${baseUrl}/imports/`, apiKey: 'k' })
  const valid = await client.validateAccount({ a: 1 } as JsonObject)
  t.like(valid, { ok: true, status: 200, body: { payload: { a: 1 } }, warningsTotal: 30 })
  t.true(valid.ok && valid.warnings.length === 20 && valid.requestId.length === 36)
  t.like(await client.stageAccount({} as JsonObject), {
    status: 200,
    body: { import_supplier: 'S', external_account_number: 'N' },
    warnings: [],
  })
  t.like(await client.processAccount({} as JsonObject), {
    status: 201,
    body: { platform_account_number: 'A-1' },
  })
  t.like(await client.transferStatus('S', 'N'), { status: 200, body: { status: 'COMPLETED' } })
})

test('warnings are given also where data failed validation, and none where nothing was validated', async (t) => {
  const entry = { detail: 'd', attr: 'customers' }
  const { baseUrl } = await serve(t, {
    ...issuing([]),
    validateAccount: () =>
      TE.left({
        _tag: 'AccountFailedValidation',
        errors: [{ ...entry, code: 'required' }],
        warnings: [{ ...entry, code: 'required_user_role' }],
      }),
    stageAccount: () => TE.left({ _tag: 'SupplierNotOngoing' }),
  })
  const client = createClient({ baseUrl, apiKey: 'k' })
  t.like(await client.validateAccount({} as JsonObject), {
    ok: false,
    code: 'account_failed_validation',
    warnings: [{ attr: 'customers', code: 'required_user_role' }],
    warningsTotal: 1,
  })
  t.like(await client.stageAccount({} as JsonObject), { ok: false, warnings: [], warningsTotal: 0 })
  const nowhere = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k' })
  t.like(await nowhere.validateAccount({} as JsonObject), { code: 'network', warnings: [], warningsTotal: 0 })
})

test('identifiers reach the service as they are, those that no URL can carry are said so', async (t) => {
  const keys: AccountKey[] = []
  const { baseUrl } = await serve(t, {
    ...issuing([]),
    transferStatus: (key) => {
      keys.push(key)
      return found(key)
    },
  })
  const client = createClient({ baseUrl, apiKey: 'k' })
  const names = ['a/b', 'a%2Fb', 'x ', 'é', 'e\u0301', '?#&', '...', 'a\\b']
  for (const name of names) t.true((await client.transferStatus('S/1', name)).ok)
  t.deepEqual(
    keys.map(({ externalAccountNumber }) => externalAccountNumber),
    names,
  )
  for (const name of ['', '.', '..', '\ud800']) {
    const failure = failureIn(t, await client.transferStatus('S', name))
    t.is(`${failure.status} ${failure.problem.code}`, '0 address_not_possible')
  }
})

test('a problem comes with its extras, its wait and its request id', async (t) => {
  const { baseUrl } = await serve(t, {
    ...issuing([]),
    stageAccount: () =>
      TE.left({ _tag: 'AccountAlreadyImported', externalAccountNumber: 'N', platformAccountNumber: 'A-1' }),
    processAccount: () => TE.left({ _tag: 'ConcurrencyLimitReached', retryAfterSeconds: 7 }),
  })
  const client = createClient({ baseUrl, apiKey: 'k' })
  const imported = failureIn(t, await client.stageAccount({} as JsonObject))
  t.is(imported.status, 400)
  t.like(imported.problem, { code: 'account_already_imported', platform_account_number: 'A-1' })
  t.is(imported.requestId.length, 36)
  t.like(await client.processAccount({} as JsonObject), { status: 429, retryAfterSeconds: 7 })
})

const itemsFrom = (start: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    externalAccountNumber: String(start + i).padStart(4, '0'),
    platformAccountNumber: undefined,
    accountCreatedAt: undefined,
  }))

const listing: Pick<UseCases, 'allAccountImports' | 'accountImportsPage'> = {
  allAccountImports: () =>
    TE.right(
      (async function* () {
        yield itemsFrom(0, 1000)
        yield itemsFrom(1000, 500)
      })(),
    ),
  accountImportsPage: ({ after, limit }) => {
    const from = after === undefined ? 0 : Number(after) + 1
    if (from >= 800) return TE.left(portFailure('unavailable', 'accountImports', 'page', 'x'))
    const items = itemsFrom(from, limit)
    return TE.right({ items, next: items.at(-1)?.externalAccountNumber })
  },
}

test('a list comes whole, or page by page until a failure ends it', async (t) => {
  const { baseUrl } = await serve(t, { ...issuing([]), ...listing })
  const client = createClient({ baseUrl, apiKey: 'k' })
  const whole = await client.listAccountImports({ importSupplier: 'S', list: 'pending' })
  t.is(whole.ok ? whole.body.length : 0, 1500)
  const seen: unknown[] = []
  for await (const page of client.accountImportPages({ importSupplier: 'S', list: 'all', limit: 400 }))
    seen.push(page.ok ? page.body[0]?.external_account_number : page.problem.code)
  t.deepEqual(seen, ['0000', '0400', 'service_unavailable'])
})

test('a service that is not there, or breaks off, is a network failure with its cause', async (t) => {
  const { baseUrl } = await serve(t, {
    ...issuing([]),
    allAccountImports: () =>
      TE.right(
        (async function* () {
          yield itemsFrom(0, 1000)
          throw new Error('gone')
        })(),
      ),
  })
  const client = createClient({ baseUrl, apiKey: 'k' })
  const broken = failureIn(t, await client.listAccountImports({ importSupplier: 'S', list: 'all' }))
  const nobody = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k' })
  const absent = failureIn(t, await nobody.stageAccount({} as JsonObject))
  for (const { status, problem, cause } of [broken, absent]) {
    t.is(`${status} ${problem.code}`, '0 network')
    t.true(cause instanceof Error)
  }
})

test('what is no answer of the service is said to be unexpected', async (t) => {
  const answers = ['<html>', '{}', '[]', 'null', '{"detail":1,"code":"x","errors":[]}']
  for (const text of answers) {
    const odd = createClient({
      baseUrl: 'https://nowhere',
      apiKey: 'k',
      fetch: async (input) =>
        new Request(input).url.endsWith('/graphql/')
          ? Response.json({
              data: {
                obtainToken: {
                  token: 't',
                  expiresAt: '2999-01-01T00:00:00Z',
                  refreshToken: 'r',
                  refreshExpiresAt: '',
                },
              },
            })
          : new Response(text, { status: 200 }),
    })
    const failure = failureIn(t, await odd.processAccount({} as JsonObject))
    t.is(`${failure.status} ${failure.problem.code}`, '200 unexpected_answer')
  }
  const noService = createClient({
    baseUrl: 'https://nowhere',
    apiKey: 'k',
    fetch: async () => new Response('x'),
  })
  t.is(failureIn(t, await noService.stageAccount({} as JsonObject)).problem.code, 'unexpected_answer')
})

import type { AccountImportListItem, UseCases } from '@account-import/core'
import { instantOf, portFailure } from '@account-import/core'
import { E } from '@account-import/core/fp'
import test from 'ava'
import { until } from '../servers/index.js'
import { get, serve } from './support/serve.js'

const allPath = '/v1/data-import/all-account-import-processes/LEVANTE/'

const item = (n: number): AccountImportListItem => ({
  externalAccountNumber: `N${String(n).padStart(6, '0')}`,
  platformAccountNumber: n % 2 === 0 ? `A-${n}` : undefined,
  accountCreatedAt: n % 2 === 0 ? instantOf(n * 1000) : undefined,
})

const items = (from: number, to: number): AccountImportListItem[] =>
  Array.from({ length: to - from }, (_, i) => item(from + i))

async function* pagesOf(...pages: readonly (readonly AccountImportListItem[])[]) {
  yield* pages
}

const listing = (
  ...pages: readonly (readonly AccountImportListItem[])[]
): Pick<UseCases, 'allAccountImports'> => ({
  allAccountImports: async () => E.right(pagesOf(...pages)),
})

test('a whole list is a JSON array with a line for each import', async (t) => {
  const { baseUrl } = await serve(t, listing(items(1, 3), items(3, 4)))
  const answer = await get(baseUrl + allPath)
  t.is(answer.status, 200)
  t.is(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  t.is(
    await answer.text(),
    '[\n{"external_account_number":"N000001","platform_account_number":null,"account_created_at":null},\n' +
      '{"external_account_number":"N000002","platform_account_number":"A-2","account_created_at":"1970-01-01T00:00:02Z"},\n' +
      '{"external_account_number":"N000003","platform_account_number":null,"account_created_at":null}\n]',
  )
})

test('an empty list is an empty array', async (t) => {
  const { baseUrl } = await serve(t, listing())
  t.deepEqual(await (await get(baseUrl + allPath)).json(), [])
})

test('each of the three lists reads its own imports of the supplier in the path', async (t) => {
  const asked: unknown[] = []
  const { baseUrl } = await serve(t, {
    allAccountImports: async (request) => {
      asked.push(request)
      return E.right(pagesOf())
    },
  })
  for (const list of ['all', 'pending', 'imported'])
    t.is((await get(`${baseUrl}/v1/data-import/${list}-account-import-processes/LEV%2FANTE`)).status, 200)
  t.deepEqual(
    asked,
    ['all', 'pending', 'imported'].map((list) => ({
      organisation: 'ACME',
      importSupplier: 'LEV/ANTE',
      list,
    })),
  )
})

test('a list that fails in the middle ends the connection, so that it does not look complete', async (t) => {
  const { baseUrl, logged } = await serve(t, {
    allAccountImports: async () =>
      E.right(
        (async function* () {
          yield items(0, 1000)
          throw portFailure(
            'unavailable',
            'accountImports',
            'page',
            Object.assign(new Error('SQL'), { code: 'ECONNREFUSED' }),
          )
        })(),
      ),
  })
  const answer = await get(baseUrl + allPath)
  t.is(answer.status, 200)
  await t.throwsAsync(answer.text())
  const [entry] = logged
  t.is(entry?.level, 'error')
  t.true(entry?.aborted)
  t.deepEqual(entry?.failure, {
    kind: 'unavailable',
    port: 'accountImports',
    operation: 'page',
    name: 'Error',
    code: 'ECONNREFUSED',
  })
})

test('a slow reader pauses the reading of the store, and a reader that disconnects ends the iteration', async (t) => {
  let pages = 0
  let ended = false
  const { baseUrl, logged } = await serve(t, {
    allAccountImports: async () =>
      E.right(
        (async function* () {
          try {
            for (;;) {
              pages += 1
              yield items(0, 1000)
            }
          } finally {
            ended = true
          }
        })(),
      ),
  })
  const controller = new AbortController()
  const answer = await fetch(baseUrl + allPath, {
    headers: { Authorization: 'Token good' },
    signal: controller.signal,
  })
  const reader = answer.body?.getReader()
  t.false((await reader?.read())?.done)
  const isStill = async (): Promise<boolean> => {
    const before = pages
    await new Promise((resolve) => setTimeout(resolve, 300))
    return pages === before
  }
  await until(isStill, 'no more pages are read')
  t.true(pages < 200, `${pages} pages were read ahead`)
  controller.abort()
  await until(async () => ended && logged.length > 0, 'the list has ended')
  t.is(logged[0]?.failure, undefined)
  t.is(logged[0]?.level, 'info')
})

test('HEAD of a list returns its headers and reads no page', async (t) => {
  const { baseUrl } = await serve(t, listing(items(0, 3)))
  const answer = await fetch(baseUrl + allPath, { method: 'HEAD', headers: { Authorization: 'Token good' } })
  t.is(answer.status, 200)
  t.is(await answer.text(), '')
})

const paging: Pick<UseCases, 'accountImportsPage'> = {
  accountImportsPage: async ({ after, limit }) => {
    const from = after === undefined ? 0 : Number(after.slice(1)) + 1
    const found = items(from, Math.min(from + limit, 25))
    return E.right({
      items: found,
      next: from + limit < 25 ? found.at(-1)?.externalAccountNumber : undefined,
    })
  },
}

test('pages are linked by an opaque cursor until the last one', async (t) => {
  const { baseUrl } = await serve(t, paging, { basePath: '/imports' })
  const sizes: number[] = []
  let path: string | undefined = `/imports${allPath}?limit=10`
  while (path !== undefined) {
    const answer: Response = await get(baseUrl + path)
    t.is(answer.status, 200)
    sizes.push(((await answer.json()) as unknown[]).length)
    const link: RegExpExecArray | null = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')
    t.notRegex(link?.[1] ?? '', /N0000/)
    path = link?.[1]
  }
  t.deepEqual(sizes, [10, 10, 5])
})

test('a cursor without a limit continues with the largest page', async (t) => {
  const { baseUrl } = await serve(t, paging)
  const first = await get(`${baseUrl}${allPath}?limit=3`)
  const cursor = /cursor=([^>&]+)/.exec(first.headers.get('link') ?? '')?.[1]
  const rest = await get(`${baseUrl}${allPath}?cursor=${cursor}`)
  t.is(((await rest.json()) as unknown[]).length, 22)
  t.is(rest.headers.get('link'), null)
})

test('GET ignores unknown query parameters', async (t) => {
  const { baseUrl } = await serve(t, listing())
  t.is((await get(`${baseUrl}${allPath}?page=2&__proto__=1&toString=2`)).status, 200)
})

import { bundledMarkets, type CatalogueEntry } from '@account-import/core'
import { checkAccountPayload, E } from '@account-import/core/adapter-kit'
import { endpoints, graphqlAddress } from '@account-import/http-contract'
import { openApiDocument } from '@account-import/http-contract/openapi'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import test from 'ava'
import { serve } from '../http/support/serve.js'
import { contextWith } from '../validation/support.js'
import { published } from '../support/published.js'

type Schema = Readonly<{ enum: readonly string[] }>
type Operation = Readonly<{
  operationId: string
  parameters: readonly Readonly<{ name: string; in: string; schema: object }>[]
  requestBody?: Readonly<{
    content: Readonly<Record<string, { example: unknown; schema: { $ref: string } }>>
  }>
  responses: Readonly<
    Record<string, { content: Record<string, { schema: { properties?: { code?: Schema } } }> }>
  >
}>
type Document = Readonly<{
  openapi: string
  servers: readonly Readonly<{ url: string }>[]
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: Readonly<{ schemas: Readonly<Record<string, Schema>> }>
}>

const document = openApiDocument('/imports', bundledMarkets) as unknown as Document

const codesWhere = (holds: (entry: CatalogueEntry) => boolean): readonly string[] =>
  [...published].flatMap(([code, entry]) => (holds(entry) ? [code] : []))

test('the document is valid OpenAPI 3.1', async (t) => {
  // The addresses of the API end with a slash.
  const config = await createConfig({ extends: ['minimal'], rules: { 'no-path-trailing-slash': 'off' } })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  t.deepEqual(
    problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`),
    [],
  )
  t.is(document.openapi, '3.1.0')
})

test('every endpoint of the contract is in it, and nothing else', (t) => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const addresses = [...Object.values(endpoints), graphqlAddress].map(
    ({ method, path }) => `${method} ${path}`,
  )
  t.deepEqual(described.sort(), addresses.sort())
})

test('its lists of codes are those of the catalogue', (t) => {
  const { TopLevelCode, FieldCode } = document.components.schemas
  t.deepEqual(
    TopLevelCode?.enum,
    codesWhere(({ where }) => where.includes('T')),
  )
  t.deepEqual(
    FieldCode?.enum,
    codesWhere(({ where, changeable }) => where.includes('F') || changeable),
  )
})

const codesAt = (path: string, method: string, status: string): readonly string[] =>
  document.paths[path]?.[method]?.responses[status]?.content['application/json']?.schema.properties?.code
    ?.enum ?? []

test('each refusal names the codes that the problem table has for it', (t) => {
  const { path } = endpoints.processAccount
  t.deepEqual([...codesAt(path, 'post', '429')].sort(), [
    'account_import_in_progress',
    'concurrency_limit_reached',
    'throttled',
  ])
  t.true(codesAt(path, 'post', '400').includes('dry_run_succeeded'))
  t.deepEqual([...codesAt(endpoints.transferStatus.path, 'get', '404')].sort(), [
    'import_process_does_not_exist',
    'not_found',
  ])
  t.deepEqual(codesAt(endpoints.validateAccount.path, 'post', '413'), ['payload_too_large'])
  t.deepEqual(codesAt(endpoints.transferStatus.path, 'get', '413'), [])
})

test('parameters and limits come from the codecs', (t) => {
  const list = document.paths[endpoints.allAccountImports.path]?.['get']
  const limit = list?.parameters.find(({ name }) => name === 'limit')
  t.deepEqual(limit?.schema, { type: 'integer', minimum: 1, maximum: 1000 })
  const status = document.paths[endpoints.transferStatus.path]?.['get']
  t.deepEqual(
    status?.parameters.map(({ name, in: place }) => `${place} ${name}`),
    ['path import_supplier_code', 'path external_account_number'],
  )
})

test('its example of an account is accepted without a warning', (t) => {
  const { requestBody } = document.paths[endpoints.stageAccount.path]?.['post'] ?? {}
  const example = requestBody?.content['application/json']?.example
  const checked = checkAccountPayload(example, contextWith())
  t.true(E.isRight(checked))
  t.deepEqual(E.isRight(checked) ? checked.right.warnings : undefined, [])
})

test('it is served without a token, and names the place where it was asked for', async (t) => {
  const { baseUrl } = await serve(t, {}, { basePath: '/imports' })
  const answer = await fetch(`${baseUrl}/imports/openapi.json`)
  t.is(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  t.deepEqual(await answer.json(), JSON.parse(JSON.stringify(document)))
  const root = (await serve(t, {})).baseUrl
  const { servers } = (await (await fetch(`${root}/openapi.json/`)).json()) as Document
  t.deepEqual(servers, [{ url: '/' }])
})

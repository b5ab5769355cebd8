import { readFileSync } from 'node:fs'
import { bundledMarkets, type CatalogueEntry, webhookEvents } from '@account-import/core'
import { E } from '@account-import/core/fp'
import {
  checkAccountPayload,
  type Codec,
  type Fields,
  List,
  meaningOf,
  type Reader,
  Refined,
  Struct,
} from '@account-import/core/payloads'
import { endpoints, graphqlAddress } from '@account-import/http-contract'
import {
  accountPayloadSchema,
  type JsonSchema,
  openApiDocument,
  requestBodies,
} from '@account-import/http-contract/openapi'
import { Ajv2020 } from 'ajv/dist/2020.js'
import test from 'ava'
import { RE2JS } from 're2js'
import { serve } from '../http/support/serve.js'
import { edgeValues } from '../validation/edge-values.js'
import { contextWith, find } from '../validation/support.js'
import { published } from '../support/published.js'

type Schema = Readonly<{ enum: readonly string[] }>
type Operation = Readonly<{
  operationId: string
  tags: readonly string[]
  parameters: readonly Readonly<{ name: string; in: string; schema: object }>[]
  requestBody?: Readonly<{
    content: Readonly<Record<string, { example: unknown; schema: { $ref: string } }>>
  }>
  responses: Readonly<
    Record<
      string,
      {
        headers: Record<string, object>
        content: Record<string, { schema: { properties?: { code?: Schema } } }>
      }
    >
  >
}>
type Document = Readonly<{
  openapi: string
  tags: readonly Readonly<{ name: string; description: string }>[]
  servers: readonly Readonly<{ url: string }>[]
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: Readonly<{
    headers: Readonly<Record<string, object>>
    schemas: Readonly<Record<string, Schema>>
  }>
}>

const document = openApiDocument('/imports', bundledMarkets) as unknown as Document

const codesWhere = (holds: (entry: CatalogueEntry) => boolean): readonly string[] =>
  [...published].flatMap(([code, entry]) => (holds(entry) ? [code] : []))

test('every endpoint has a described tag, and every response has the id of its request', (t) => {
  const { openapi, tags, paths } = document
  t.is(openapi, '3.1.0')
  const named = new Set(tags.map(({ name }) => name))
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    t.true(operation.tags.length === 1 && operation.tags.every((tag) => named.has(tag)))
    for (const { headers } of Object.values(operation.responses))
      t.deepEqual(headers['X-Request-Id'], { $ref: '#/components/headers/X-Request-Id' })
  }
  t.true(tags.every(({ description }) => description !== ''))
})

/** Every field of every object of a schema, in depth, as its path and its schema. */
const fieldsIn = (
  schema: unknown,
  path: string,
): readonly (readonly [path: string, schema: JsonSchema])[] => {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties } = schema as { properties?: unknown }
  const own = Object.entries(properties ?? {}).map(
    ([name, field]) => [`${path}/${name}`, field as JsonSchema] as const,
  )
  return [...own, ...Object.entries(schema).flatMap(([key, inner]) => fieldsIn(inner, `${path}/${key}`))]
}

test('every field is described, and a field of a request that is not an object has an example', (t) => {
  const fields = fieldsIn(document, '')
  t.true(fields.length > 500)
  t.deepEqual(
    fields.flatMap(([path, { description = '' }]) => (description === '' ? [path] : [])),
    [],
  )
  const ofPayloads = fieldsIn(accountPayloadSchema, '')
  const withoutExample = ofPayloads.filter(([, field]) => !('examples' in field)).map(([path]) => path)
  const isObject = ({ $ref, items, additionalProperties }: JsonSchema): boolean =>
    $ref !== undefined ||
    (items as JsonSchema | undefined)?.['$ref'] !== undefined ||
    additionalProperties === true
  const objects = ofPayloads.filter(([, field]) => isObject(field)).map(([path]) => path)
  t.deepEqual(withoutExample, objects)
})

test('the example of each field is a valid value of it', (t) => {
  const valueOf = (codec: Reader<unknown>, example: unknown): unknown => {
    if (example !== undefined) return example
    if (codec instanceof Refined) return valueOf(codec.base as Reader<unknown>, undefined)
    if (codec instanceof List) return [valueOf(codec.item as Reader<unknown>, undefined)]
    return codec instanceof Struct ? exampleOf(codec as Struct<Fields>) : {}
  }
  const exampleOf = (struct: Struct<Fields>): object =>
    Object.fromEntries(
      Object.entries(struct.fields).map(([name, { codec }]) => [
        name,
        valueOf(codec, meaningOf(struct, name).example),
      ]),
    )
  for (const { codec } of Object.values(requestBodies)) {
    const example = exampleOf(codec as unknown as Struct<Fields>)
    const { errors, warnings } = find(codec as unknown as Codec<unknown>, example)
    t.deepEqual([codec.name, errors, warnings], [codec.name, [], []])
  }
})

test('the types of payloads have the description of each field', (t) => {
  const text = readFileSync(
    new URL('../../../packages/core/dist/payloads/to-send.d.ts', import.meta.url),
    'utf8',
  )
  const fields = text.match(/^ {4}readonly \w+\??: /gm) ?? []
  t.is(text.match(/^ {4}\/\*\* .+\.(?: Example: .+)? \*\/$/gm)?.length, fields.length)
  t.true(fields.length > 120)
})

const requiredOf = (header: unknown): unknown => (header as { required?: boolean }).required

test('a header is required where every response with the status has it', (t) => {
  const responses = document.paths[endpoints.addPaymentInstruction.path]?.['post']?.responses ?? {}
  const ofVendor = responses['500']?.headers['Retry-After']
  t.is(requiredOf(ofVendor), false)
  for (const status of ['429', '503'])
    t.deepEqual(responses[status]?.headers['Retry-After'], { $ref: '#/components/headers/Retry-After' })
  t.true(requiredOf(document.components.headers['Retry-After']))
})

test('the token endpoint declares the responses of GraphQL and the usual refusals', (t) => {
  const responses = document.paths[graphqlAddress.path]?.['post']?.responses ?? {}
  t.deepEqual(Object.keys(responses), ['200', '400', '406', '408', '413', '415', '429', '431', '500', '503'])
  for (const status of ['200', '400', '500', '503'])
    t.deepEqual(Object.keys(responses[status]?.content ?? {}), [
      'application/json',
      'application/graphql-response+json',
    ])
})

const patternsIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  const own = 'pattern' in value && typeof value.pattern === 'string' ? [value.pattern] : []
  return [...own, ...Object.values(value).flatMap(patternsIn)]
}

const patterns = [...new Set(patternsIn(document))]

/** Every object of the document, in depth. */
const objectsIn = (value: unknown): readonly JsonSchema[] => {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(objectsIn)
  return Array.isArray(value) ? inner : [value as JsonSchema, ...inner]
}

test('generators of clients read the schemas: one anchored pattern, one type, and counts as integers', (t) => {
  for (const pattern of patterns) t.regex(pattern, /^\^.*\$$/s)
  const objects = objectsIn(document)
  t.deepEqual(
    objects.filter(({ type, allOf }) => Array.isArray(type) || allOf !== undefined),
    [],
  )
  const ofCounts = objects.flatMap(({ properties }) => {
    const { count, line, staged, attempts } = (properties ?? {}) as Readonly<Record<string, JsonSchema>>
    return [count, line, staged, attempts].filter((schema) => schema !== undefined)
  })
  t.true(ofCounts.length > 5)
  for (const schema of ofCounts) t.regex(JSON.stringify(schema), /"type":"integer"/)
})

test('the document has the webhooks, whose messages have the form of the documented one', (t) => {
  const { webhooks } = document
  t.deepEqual(Object.keys(webhooks), [...webhookEvents])
  const page = readFileSync(new URL('../../../docs/how-to/webhooks.md', import.meta.url), 'utf8')
  const example = JSON.parse(/```json\n([^`]+)```/.exec(page)?.[1] ?? '') as object
  const schema = webhooks['run.finished']?.['post']?.requestBody?.content['application/json']?.schema
  const matches = new Ajv2020().compile(schema ?? {})
  t.true(matches(example), JSON.stringify(matches.errors))
  t.false(matches({ ...example, type: 'run.started' }))
})

test('RE2 and ECMAScript read the patterns of the document in the same way, with and without the flag u', (t) => {
  t.true(patterns.length > 8)
  const texts = edgeValues.filter((value) => typeof value === 'string')
  for (const pattern of patterns) {
    const re2 = RE2JS.compile(pattern)
    const [withFlag, without] = [new RegExp(pattern, 'u'), new RegExp(pattern)]
    for (const text of texts) {
      // Each engine decides which characters beyond ASCII are white space.
      if (/[\uD800-\uDFFF]/u.test(text) || (/\\s/i.test(pattern) && /[^ -~\t\n\r\f]/.test(text))) continue
      t.is(re2.matcher(text).find(), withFlag.test(text), `${pattern} ${JSON.stringify(text)}`)
      t.is(without.test(text), withFlag.test(text), `${pattern} ${JSON.stringify(text)}`)
    }
  }
})

test('the document has every endpoint of the contract and no other', (t) => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const addresses = [...Object.values(endpoints), graphqlAddress].map(
    ({ method, path }) => `${method} ${path}`,
  )
  t.deepEqual(described.sort(), addresses.sort())
})

test('the lists of codes in the document are those of the catalogue', (t) => {
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

test('each refusal in the document names its codes of the problem table', (t) => {
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

test('parameters and limits of the document come from the codecs', (t) => {
  const list = document.paths[endpoints.allAccountImports.path]?.['get']
  const limit = list?.parameters.find(({ name }) => name === 'limit')
  t.deepEqual(limit?.schema, { type: 'integer', minimum: 1, maximum: 1000 })
  const status = document.paths[endpoints.transferStatus.path]?.['get']
  const places = status?.parameters.map(({ name, in: place }) => `${place} ${name}`)
  t.deepEqual(places, ['path import_supplier_code', 'path external_account_number'])
})

test('the account example of the document is accepted without a warning', (t) => {
  const { requestBody } = document.paths[endpoints.stageAccount.path]?.['post'] ?? {}
  const example = requestBody?.content['application/json']?.example
  const checked = checkAccountPayload(example, contextWith())
  t.true(E.isRight(checked))
  t.deepEqual(E.isRight(checked) ? checked.right.warnings : undefined, [])
})

test('the document needs no token, and its server is the address that was requested', async (t) => {
  const { baseUrl } = await serve(t, {}, { basePath: '/imports' })
  const answer = await fetch(`${baseUrl}/imports/openapi.json`)
  t.is(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  t.deepEqual(await answer.json(), JSON.parse(JSON.stringify(document)))
  const root = (await serve(t, {})).baseUrl
  const { servers } = (await (await fetch(`${root}/openapi.json/`)).json()) as Document
  t.deepEqual(servers, [{ url: '/' }])
})

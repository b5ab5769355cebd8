import type { Reader } from '@account-import/core/adapter-kit'
import { QueryBooleanType, QueryIntegerType } from '../address-codecs.js'
import { importRunHeader, importRunLineHeader } from '../import-run-headers.js'
import { idempotencyKeyHeader, idempotencyKeyPattern, replayedHeader } from '../idempotency.js'
import { type JsonSchema, scalarSchema } from './codec-schema.js'

const header = (description: string, required: boolean, schema: JsonSchema): JsonSchema => ({
  description,
  required,
  schema,
})

const text: JsonSchema = { type: 'string' }

/** The headers of answers by their names. Those that are required are on every answer that names them. */
export const headerComponents = {
  'X-Request-Id': header('Names the request in the log of the service.', true, {
    type: 'string',
    minLength: 1,
  }),
  'Retry-After': header('Seconds after which the request is worth trying again.', true, {
    type: 'integer',
    minimum: 1,
  }),
  'WWW-Authenticate': header('How to authenticate.', true, { type: 'string', enum: ['Token'] }),
  'Accept-Encoding': header('How a body may be packed.', true, { type: 'string', enum: ['gzip'] }),
  'Import-Warnings': header(
    'The first warnings: a list of paths, each with its code (RFC 8941). Absent without warnings.',
    false,
    text,
  ),
  'Import-Warnings-Total': header('The number of all warnings. Absent without warnings.', false, {
    type: 'integer',
    minimum: 1,
  }),
  Link: header('With a page: the address of the next one, rel="next".', false, text),
  [replayedHeader]: header(
    'There where the answer was given before to a request with the same idempotency key.',
    false,
    { type: 'string', enum: ['true'] },
  ),
  'RateLimit-Policy': header('Where the requests of a key are limited: how many in which time.', false, text),
  RateLimit: header('Where the requests of a key are limited: how many are left.', false, text),
} as const satisfies Readonly<Record<string, JsonSchema>>

type HeaderName = keyof typeof headerComponents

const isKnown = (name: string): name is HeaderName => name in headerComponents

/** The headers of an answer: those that are always there, and those that only some of such answers have. */
export const headersOf = (always: Iterable<string>, sometimes: Iterable<string> = []): JsonSchema => {
  const refTo = (name: string): readonly [string, JsonSchema] => [
    name,
    { $ref: `#/components/headers/${name}` },
  ]
  const optional = (name: HeaderName): readonly [string, JsonSchema] =>
    headerComponents[name].required ? [name, { ...headerComponents[name], required: false }] : refTo(name)
  return Object.fromEntries([
    ...[...always].filter(isKnown).map(refTo),
    ...[...sometimes].filter(isKnown).map(optional),
  ])
}

type Props = Readonly<Record<string, unknown>>

const propsOf = (type: unknown): Props => (type as { props?: Props }).props ?? {}

const isReader = (type: unknown): type is Reader<unknown> =>
  typeof type === 'object' && type !== null && '_tag' in type

const schemaOf = (type: unknown): JsonSchema => {
  if (type instanceof QueryIntegerType) return { type: 'integer', minimum: type.min, maximum: type.max }
  if (type instanceof QueryBooleanType) return { type: 'boolean', default: type.byDefault }
  return (isReader(type) ? scalarSchema(type) : undefined) ?? { type: 'string' }
}

const parameters = (place: 'path' | 'query', type: unknown): readonly JsonSchema[] =>
  Object.entries(propsOf(type)).map(([name, codec]) => ({
    name,
    in: place,
    required: place === 'path',
    schema: schemaOf(codec),
  }))

/** The parameters of an address, read from its codecs; those of the path are percent-decoded once. */
export const pathParameters = (type: unknown): readonly JsonSchema[] => parameters('path', type)
export const queryParameters = (type: unknown): readonly JsonSchema[] => parameters('query', type)

/** The header that makes it safe to repeat a request. */
export const idempotencyKeyParameter: JsonSchema = {
  name: idempotencyKeyHeader,
  in: 'header',
  required: false,
  description:
    'Names the request, so that it is answered once: for 24 hours the same request with the same key gets the same answer.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: idempotencyKeyPattern.source },
}

/** The headers by which a request belongs to an import run. */
export const importRunParameters: readonly JsonSchema[] = [
  {
    name: importRunHeader,
    in: 'header',
    required: false,
    description:
      'The id of the import run that the request belongs to: accounts that it stages or creates keep it, and accounts that are refused are kept on it.',
    schema: { type: 'string', minLength: 1, maxLength: 64 },
  },
  {
    name: importRunLineHeader,
    in: 'header',
    required: false,
    description:
      'The number that the first line of the body has in the source of the run, from 1; 1 when it is absent.',
    schema: { type: 'integer', minimum: 1 },
  },
]

import type { Reader } from '@account-import/core/adapter-kit'
import { idempotencyKeyHeader, idempotencyKeyPattern } from '../idempotency.js'
import { scalarSchema } from '../schema/scalar-schema.js'
import type { JsonSchema } from '../schema/json-schema.js'
import { QueryBooleanType } from '../query-boolean.js'
import { QueryIntegerType } from '../lists/query-integer.js'

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

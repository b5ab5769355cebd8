import type { AnyEndpoint } from '../endpoint.js'
import { replayedHeader, takesIdempotencyKey } from '../idempotency.js'
import { Lines, linesType } from '../lines/lines.js'
import { listQuery } from '../lists/list-query.js'
import { codecSchema } from '../schema/codec-schema.js'
import type { Definitions, JsonSchema } from '../schema/json-schema.js'
import { typeSchema } from '../schema/type-schema.js'
import { exampleBodies } from './examples.js'
import { idempotencyKeyParameter, pathParameters, queryParameters } from './parameters.js'
import { problemResponses, transportRefusals } from './problem-responses.js'

const json = (schema: JsonSchema, example?: unknown): JsonSchema => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
})

/** The content of an answer of this type. */
const answered = (success: AnyEndpoint['success']): JsonSchema => {
  const lines: Lines<AnyEndpoint['success']> | undefined = success instanceof Lines ? success : undefined
  return lines === undefined ? json(typeSchema(success)) : ndjson(typeSchema(lines.each))
}

/** OpenAPI 3.1 can only describe a line; the keyword for a stream of them came with 3.2. */
const ndjson = (line: JsonSchema): JsonSchema => ({
  [linesType]: { schema: { ...line, description: 'What each line holds, one JSON value a line.' } },
})

const warningHeaders: JsonSchema = {
  'Import-Warnings': {
    description:
      'The first warnings: a list of paths, each with its code (RFC 8941). Absent without warnings.',
    schema: { type: 'string' },
  },
  'Import-Warnings-Total': { description: 'The number of all warnings.', schema: { type: 'integer' } },
}

const nextPageHeader: JsonSchema = {
  Link: { description: 'With a page: the address of the next one, rel="next".', schema: { type: 'string' } },
}

const replayed: JsonSchema = {
  [replayedHeader]: {
    description: 'There where the answer was given before to a request with the same idempotency key.',
    schema: { type: 'string', enum: ['true'] },
  },
}

const successes = (endpoint: AnyEndpoint, isList: boolean): JsonSchema => {
  const { statuses, success, summary, body } = endpoint
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      {
        description: summary,
        headers: {
          'X-Request-Id': { schema: { type: 'string' } },
          ...(body === undefined || success instanceof Lines ? {} : warningHeaders),
          ...(isList ? nextPageHeader : {}),
          ...(takesIdempotencyKey(endpoint) ? replayed : {}),
        },
        content: answered(success),
      },
    ]),
  )
}

const requestBody = (body: AnyEndpoint['body'], definitions: Definitions): JsonSchema => {
  if (body === undefined) return {}
  const content =
    body instanceof Lines
      ? ndjson(codecSchema(body.each, definitions))
      : json(codecSchema(body, definitions), exampleBodies[body.name])
  return { requestBody: { required: true, content } }
}

/** The OpenAPI operation of an endpoint. */
export const operation = (name: string, endpoint: AnyEndpoint, definitions: Definitions): JsonSchema => {
  const inPath = pathParameters(endpoint.params)
  const inQuery = queryParameters(endpoint.query)
  const fromTransport = transportRefusals(endpoint, inPath.length > 0, inQuery.length > 0)
  return {
    operationId: name,
    summary: endpoint.summary,
    description: `Needs a token with the scope ${endpoint.scope}.`,
    parameters: [...inPath, ...inQuery, ...(takesIdempotencyKey(endpoint) ? [idempotencyKeyParameter] : [])],
    ...requestBody(endpoint.body, definitions),
    responses: {
      ...successes(endpoint, endpoint.query === listQuery),
      ...problemResponses([...endpoint.refusals, ...fromTransport]),
    },
  }
}

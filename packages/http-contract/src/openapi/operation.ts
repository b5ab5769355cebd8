import type { AnyEndpoint } from '../endpoint.js'
import { isFinalStatus, replayedHeader, takesIdempotencyKey } from '../idempotency.js'
import { Lines, linesType } from '../lines/lines.js'
import { listQuery } from '../lists/list-query.js'
import { codecSchema } from '../schema/codec-schema.js'
import type { Definitions, JsonSchema } from '../schema/json-schema.js'
import { typeSchema } from '../schema/type-schema.js'
import { exampleBodies } from './examples.js'
import { headersOf } from './headers.js'
import { idempotencyKeyParameter, pathParameters, queryParameters } from './parameters.js'
import { problemResponses } from './problem-responses.js'
import { tagOf } from './tags.js'
import { transportRefusals } from './transport-refusals.js'

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

/** On every answer to a known key, where its requests are limited. */
const limits = ['RateLimit-Policy', 'RateLimit']

const warnings = ['Import-Warnings', 'Import-Warnings-Total']

const successes = (endpoint: AnyEndpoint, isList: boolean): JsonSchema => {
  const { statuses, success, summary, body } = endpoint
  const sometimes = [
    ...(body === undefined || success instanceof Lines ? [] : warnings),
    ...(isList ? ['Link'] : []),
    ...(takesIdempotencyKey(endpoint) ? [replayedHeader] : []),
    ...limits,
  ]
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      { description: summary, headers: headersOf(['X-Request-Id'], sometimes), content: answered(success) },
    ]),
  )
}

/** What stays the answer to its request may be given again. */
const ofRefusals =
  (endpoint: AnyEndpoint) =>
  (status: number): readonly string[] =>
    takesIdempotencyKey(endpoint) && isFinalStatus(status) ? [replayedHeader, ...limits] : limits

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
    tags: [tagOf(endpoint)],
    summary: endpoint.summary,
    description: `Needs a token with the scope ${endpoint.scope}.`,
    parameters: [...inPath, ...inQuery, ...(takesIdempotencyKey(endpoint) ? [idempotencyKeyParameter] : [])],
    ...requestBody(endpoint.body, definitions),
    responses: {
      ...successes(endpoint, endpoint.query === listQuery),
      ...problemResponses([...endpoint.refusals, ...fromTransport], ofRefusals(endpoint)),
    },
  }
}

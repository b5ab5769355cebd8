import type { AnyEndpoint } from '../endpoint.js'
import { listQuery } from '../lists/list-query.js'
import { codecSchema } from '../schema/codec-schema.js'
import type { Definitions, JsonSchema } from '../schema/json-schema.js'
import { typeSchema } from '../schema/type-schema.js'
import { exampleBodies } from './examples.js'
import { pathParameters, queryParameters } from './parameters.js'
import { problemResponses, transportRefusals } from './problem-responses.js'

const json = (schema: JsonSchema, example?: unknown): JsonSchema => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
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

const successes = ({ statuses, success, summary, body }: AnyEndpoint, isList: boolean): JsonSchema =>
  Object.fromEntries(
    statuses.map((status) => [
      String(status),
      {
        description: summary,
        headers: {
          'X-Request-Id': { schema: { type: 'string' } },
          ...(body === undefined ? {} : warningHeaders),
          ...(isList ? nextPageHeader : {}),
        },
        content: json(typeSchema(success)),
      },
    ]),
  )

const requestBody = (body: AnyEndpoint['body'], definitions: Definitions): JsonSchema =>
  body === undefined
    ? {}
    : {
        requestBody: {
          required: true,
          content: json(codecSchema(body, definitions), exampleBodies[body.name]),
        },
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
    parameters: [...inPath, ...inQuery],
    ...requestBody(endpoint.body, definitions),
    responses: {
      ...successes(endpoint, endpoint.query === listQuery),
      ...problemResponses([...endpoint.refusals, ...fromTransport]),
    },
  }
}

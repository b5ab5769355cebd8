import { graphqlErrorCodes, obtainedToken, obtainTokenMutation } from '../endpoints/obtain-token.js'
import type { JsonSchema } from '../schema/json-schema.js'
import { typeSchema } from '../schema/type-schema.js'
import { headersOf } from './headers.js'
import { problemResponses } from './problem-responses.js'
import { authenticationTag } from './tags.js'
import { ofEveryRequest, ofJson } from './transport-refusals.js'

const integer: JsonSchema = { type: 'integer', minimum: 1 }

const error: JsonSchema = {
  type: 'object',
  properties: {
    message: { type: 'string' },
    locations: {
      type: 'array',
      items: { type: 'object', properties: { line: integer, column: integer }, required: ['line', 'column'] },
    },
    path: { type: 'array', items: { type: ['string', 'integer'] } },
    extensions: {
      type: 'object',
      properties: {
        code: { type: 'string', enum: Object.values(graphqlErrorCodes) },
        retryAfterSeconds: { type: 'number' },
      },
      required: ['code'],
    },
  },
  required: ['message', 'extensions'],
}

const answer: JsonSchema = {
  type: 'object',
  description: 'The answer of GraphQL: data, or errors whose extensions.code says why there is no token.',
  properties: {
    data: {
      type: ['object', 'null'],
      properties: { obtainToken: { anyOf: [typeSchema(obtainedToken), { type: 'null' }] } },
      description: 'What was asked for, by the names that the document gives it.',
      additionalProperties: true,
    },
    errors: { type: 'array', minItems: 1, items: error },
  },
}

const answerRef: JsonSchema = { $ref: '#/components/schemas/GraphqlAnswer' }

const graphqlJson = 'application/graphql-response+json'

/** The answers of GraphQL itself, beside those that every endpoint has. */
const graphqlResponses = (problems: JsonSchema): JsonSchema => {
  type Problem = Readonly<{ content: Readonly<Record<string, Readonly<{ schema: JsonSchema }>>> }>
  const also = (status: string, inJson: boolean): JsonSchema => {
    const problem = problems[status] as JsonSchema & Problem
    const refused = problem.content['application/json']?.schema
    const json = { schema: inJson ? { anyOf: [refused, answerRef] } : refused }
    return { ...problem, content: { 'application/json': json, [graphqlJson]: { schema: answerRef } } }
  }
  return { ...problems, '400': also('400', false), '500': also('500', true), '503': also('503', true) }
}

/** What the token operation needs of the components. */
export const tokenSchemas: Readonly<Record<string, JsonSchema>> = { GraphqlAnswer: answer }

/** The GraphQL address as OpenAPI can show it: the one mutation, as a client sends it. */
export const tokenOperation: JsonSchema = {
  operationId: 'obtainToken',
  tags: [authenticationTag],
  summary: 'Exchanges an API key, or a refresh token, for a token. GraphQL.',
  description:
    'Needs no token. The input takes exactly one of apiKey and refreshToken. What is refused is told by errors[].extensions.code, mostly with status 200.',
  security: [],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: {
            query: { type: 'string' },
            operationName: { type: ['string', 'null'] },
            variables: { type: ['object', 'null'], additionalProperties: true },
          },
          required: ['query'],
        },
        example: { query: obtainTokenMutation, variables: { input: { apiKey: 'aik_…' } } },
      },
    },
  },
  responses: {
    '200': {
      description: 'A token, or why there is none.',
      headers: headersOf(['X-Request-Id'], ['Retry-After']),
      content: {
        'application/json': { schema: answerRef },
        [graphqlJson]: { schema: answerRef },
      },
    },
    ...graphqlResponses(problemResponses([...ofEveryRequest, ...ofJson, 'PortFailure', 'RequestNotValid'])),
  },
}

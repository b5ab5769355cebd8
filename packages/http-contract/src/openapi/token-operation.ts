import { obtainedToken, obtainTokenMutation } from '../endpoints/obtain-token.js'
import { problemResponses } from './problem-responses.js'
import type { JsonSchema } from '../schema/json-schema.js'
import { typeSchema } from '../schema/type-schema.js'

const answer: JsonSchema = {
  type: 'object',
  description: 'The answer of GraphQL: data, or errors whose extensions.code says why there is no token.',
  properties: {
    data: {
      type: ['object', 'null'],
      properties: { obtainToken: typeSchema(obtainedToken) },
    },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          message: { type: 'string' },
          extensions: { type: 'object', properties: { code: { type: 'string' } } },
        },
      },
    },
  },
}

/** The GraphQL address as OpenAPI can show it: the one mutation, as a client sends it. */
export const tokenOperation: JsonSchema = {
  operationId: 'obtainToken',
  summary: 'Exchanges an API key, or a refresh token, for a token. GraphQL.',
  security: [],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: { query: { type: 'string' }, variables: { type: 'object' } },
          required: ['query'],
        },
        example: { query: obtainTokenMutation, variables: { input: { apiKey: 'aik_…' } } },
      },
    },
  },
  responses: {
    '200': {
      description: 'A token, or why there is none.',
      content: { 'application/json': { schema: answer } },
    },
    ...problemResponses(['NotAcceptable', 'UnsupportedMediaType', 'PayloadTooLarge', 'NotUtf8', 'NotJson']),
  },
}

import type { Reader } from '@account-import/core/payloads'
import * as t from 'io-ts'
import { requestBodies } from '../bodies.js'
import { type Endpoint, oneOf, scopesText, textOrNull } from '../endpoint.js'
import { graphqlErrorCodes, obtainedToken, obtainTokenMutation } from '../endpoints/obtain-token.js'
import {
  idempotencyKeyHeader,
  idempotencyKeyPattern,
  isFinalStatus,
  Lines,
  linesType,
  replayedHeader,
  takesIdempotencyKey,
} from '../lines.js'
import { importRunHeader, importRunLineHeader } from '../limits.js'
import { addressCodecs, type Addresses, QueryBooleanType, QueryIntegerType } from '../address-codecs.js'
import { codecSchema, type Definitions, type JsonSchema, scalarSchema, typeSchema } from './codec-schema.js'
import type { Refusal } from '../problems.js'
import { headersOf, problemResponses } from './problem-responses.js'

const isReader = (type: unknown): type is Reader<unknown> =>
  typeof type === 'object' && type !== null && '_tag' in type

const schemaOf = (type: unknown): JsonSchema => {
  if (type instanceof QueryIntegerType) return { type: 'integer', minimum: type.min, maximum: type.max }
  if (type instanceof QueryBooleanType) return { type: 'boolean', default: type.byDefault }
  return (isReader(type) ? scalarSchema(type) : undefined) ?? { type: 'string' }
}

/** The parameters of an address, read from its codecs; those of the path are percent-decoded once. */
const parameters = (
  place: 'path' | 'query',
  type: (typeof addressCodecs)[keyof Addresses],
): readonly JsonSchema[] =>
  Object.entries(type.props).map(([name, codec]) => ({
    name,
    in: place,
    required: type instanceof t.InterfaceType,
    schema: schemaOf(codec),
  }))

/** The header that makes retries of a request safe. */
const idempotencyKeyParameter: JsonSchema = {
  name: idempotencyKeyHeader,
  in: 'header',
  required: false,
  description:
    'Identifies the request: for 24 hours, the same request with the same key is done once and gets the same answer.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: idempotencyKeyPattern.source },
}

/** The headers by which a request belongs to an import run. */
const importRunParameters: readonly JsonSchema[] = [
  {
    name: importRunHeader,
    in: 'header',
    required: false,
    description:
      'The id of the import run that the request belongs to. Accounts that the request stages or creates store the id; refused accounts are stored as failures of the run.',
    schema: { type: 'string', minLength: 1, maxLength: 64 },
  },
  {
    name: importRunLineHeader,
    in: 'header',
    required: false,
    description:
      'The line number, from 1, that the first line of the body has in the source of the run. Without this header, lines of a bulk request are counted from 1, and a single account has no line.',
    schema: { type: 'integer', minimum: 1 },
  },
]

const descriptions = {
  Authentication: 'A token for an API key.',
  'Account imports': 'Validate, stage and create one account.',
  'Bulk requests': 'Validate, stage and create many accounts, one a line.',
  Additions: 'Notes, bills, payment instructions and transactions for accounts that were created.',
  'Import runs': 'Imports of files, with the counts and the refused accounts of each.',
  State: 'State of imports, and digests of accounts.',
  Undo: 'Undo created accounts.',
} as const

type Tag = keyof typeof descriptions

/** The groups of endpoints, in the order in which a client needs them. */
export const tags: readonly JsonSchema[] = Object.entries(descriptions).map(([name, description]) => ({
  name,
  description,
}))

const tagOf = ({ path, scopes, success }: Pick<Endpoint, 'path' | 'scopes' | 'success'>): Tag => {
  if (success instanceof Lines) return 'Bulk requests'
  if (scopes.includes('post-import')) return 'Additions'
  if (path.includes('/import-runs/')) return 'Import runs'
  if (scopes.includes('undo')) return 'Undo'
  return scopes.length === 0 || scopes.includes('read') ? 'State' : 'Account imports'
}

const json = (schema: JsonSchema, example?: unknown): JsonSchema => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
})

const answered = (success: Endpoint['success']): JsonSchema => {
  const lines: Lines<Endpoint['success']> | undefined = success instanceof Lines ? success : undefined
  return lines === undefined ? json(typeSchema(success)) : ndjson(typeSchema(lines.each))
}

/** A text of lines, whose content is described; the keyword for a stream of lines is new in OpenAPI 3.2. */
const ndjson = (line: JsonSchema, example?: unknown): JsonSchema => ({
  [linesType]: {
    schema: {
      type: 'string',
      description: 'Lines. Each line is a JSON value of the schema of the content.',
      contentMediaType: linesType,
      contentSchema: line,
    },
    ...(example === undefined ? {} : { example: `${JSON.stringify(example)}\n` }),
  },
})

/** Headers of every response to an authenticated request, if there is a rate limit. */
const limits = ['RateLimit-Policy', 'RateLimit']

const warnings = ['Import-Warnings', 'Import-Warnings-Total']

const successes = (endpoint: Endpoint, isList: boolean): JsonSchema => {
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

/** The headers that a refusal may have, by its status. Only a final response is replayed. */
const ofRefusals =
  (endpoint: Endpoint) =>
  (status: number): readonly string[] =>
    takesIdempotencyKey(endpoint) && isFinalStatus(status) ? [replayedHeader, ...limits] : limits

const requestBody = (body: Endpoint['body'], definitions: Definitions): JsonSchema => {
  if (body === undefined) return {}
  const { codec, example } = requestBodies[body instanceof Lines ? body.each.name : body]
  const schema = codecSchema(codec, definitions)
  const content = (body instanceof Lines ? ndjson : json)(schema, example)
  return { requestBody: { required: true, content } }
}

/** Refusals of any request, before its content is read or independent of it. */
const ofEveryRequest: readonly Refusal['_tag'][] = [
  'NotAcceptable',
  'Unexpected',
  'NotHttp',
  'Throttled',
  'ServiceBusy',
]

/** Refusals of a JSON body before its value is validated. */
const ofJson: readonly Refusal['_tag'][] = [
  'UnsupportedMediaType',
  'PayloadTooLarge',
  'PayloadTooDeep',
  'NotUtf8',
  'NotJson',
]

const ofToken: readonly Refusal['_tag'][] = [
  'NotAuthenticated',
  'AuthenticationFailed',
  'TokenExpired',
  'PermissionDenied',
  'PortFailure',
]

/** A line that cannot be read is refused in its own line of the response. `NotJson` is for a body that is not valid gzip. */
const ofBody = (body: Endpoint['body']): readonly Refusal['_tag'][] => {
  if (body === undefined) return []
  return body instanceof Lines ? ['UnsupportedMediaType', 'NotJson'] : ofJson
}

const ofKey: readonly Refusal['_tag'][] = [
  'IdempotencyKeyNotValid',
  'IdempotencyKeyReused',
  'IdempotencyKeyInProgress',
]

/** Refusals of an endpoint that come from the transport. */
const transportRefusals = (
  endpoint: Pick<Endpoint, 'body' | 'method' | 'success'>,
  hasParams: boolean,
  isQueryRead: boolean,
): readonly Refusal['_tag'][] => [
  ...ofEveryRequest,
  ...ofToken,
  ...ofBody(endpoint.body),
  ...(takesIdempotencyKey(endpoint) ? ofKey : []),
  ...(hasParams ? (['NothingHere'] as const) : []),
  ...(isQueryRead ? (['RequestNotValid'] as const) : []),
]

/** The OpenAPI operation of an endpoint. */
export const operation = (name: string, endpoint: Endpoint, definitions: Definitions): JsonSchema => {
  const inPath = parameters('path', addressCodecs[endpoint.params ?? 'none'])
  const inQuery = parameters('query', addressCodecs[endpoint.query ?? 'none'])
  const isQueryRead = inQuery.length > 0 || endpoint.method === 'POST'
  const fromTransport = transportRefusals(endpoint, inPath.length > 0, isQueryRead)
  return {
    operationId: name,
    tags: [tagOf(endpoint)],
    summary: endpoint.summary,
    description: `Needs a token with ${scopesText(endpoint)}.`,
    parameters: [
      ...inPath,
      ...inQuery,
      ...(takesIdempotencyKey(endpoint) ? [idempotencyKeyParameter] : []),
      ...(endpoint.namesRun === true ? importRunParameters : []),
    ],
    ...requestBody(endpoint.body, definitions),
    responses: {
      ...successes(
        endpoint,
        inQuery.some((parameter) => parameter['name'] === 'cursor'),
      ),
      ...problemResponses(
        [...(Object.keys(endpoint.refusals) as Refusal['_tag'][]), ...fromTransport],
        ofRefusals(endpoint),
      ),
    },
  }
}

/** A document of GraphQL selects which of the fields the answer has. */
const selected = t.partial(obtainedToken.props, 'ObtainedToken')

const place = t.type({ line: t.number, column: t.number })

const error = t.intersection([
  t.type({
    message: t.string,
    extensions: t.intersection([
      t.type({ code: oneOf(Object.values(graphqlErrorCodes)) }),
      t.partial({ retryAfterSeconds: t.number }),
    ]),
  }),
  t.partial({
    locations: t.readonlyArray(place),
    path: t.readonlyArray(t.union([t.string, t.number])),
  }),
])

const answer: JsonSchema = {
  description: 'The answer of GraphQL: data, or errors whose extensions.code is the reason for the refusal.',
  ...typeSchema(
    t.partial({
      data: t.union([t.partial({ obtainToken: t.union([selected, t.null]) }), t.null]),
      errors: t.readonlyArray(error),
    }),
  ),
}

const request = t.intersection([
  t.type({ query: t.string }),
  t.partial({
    operationName: textOrNull,
    variables: t.union([t.UnknownRecord, t.null]),
  }),
])

const answerRef: JsonSchema = { $ref: '#/components/schemas/GraphqlAnswer' }

const graphqlJson = 'application/graphql-response+json'

/** Responses of the GraphQL endpoint: the problems that every endpoint has, and GraphQL errors. */
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

const tokenOperation: JsonSchema = {
  operationId: 'obtainToken',
  tags: ['Authentication' satisfies Tag],
  summary: 'Exchanges an API key, or a refresh token, for a token. GraphQL.',
  description:
    'Needs no token. The input takes exactly one of apiKey and refreshToken. The code of a refusal is errors[].extensions.code, mostly with status 200.',
  security: [],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: typeSchema(request),
        example: { query: obtainTokenMutation, variables: { input: { apiKey: 'aik_…' } } },
      },
    },
  },
  responses: {
    '200': {
      description: 'A token, or the reason for the refusal.',
      headers: headersOf(['X-Request-Id'], ['Retry-After']),
      content: {
        'application/json': { schema: answerRef },
        [graphqlJson]: { schema: answerRef },
      },
    },
    ...graphqlResponses(problemResponses([...ofEveryRequest, ...ofJson, 'PortFailure', 'RequestNotValid'])),
  },
}

/** The OpenAPI operation of the GraphQL address: its one mutation, and the schema to which the operation refers. */
export const obtainingToken = { operation: tokenOperation, schemas: { GraphqlAnswer: answer } }

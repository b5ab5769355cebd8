import type { AnyEndpoint } from '../endpoint.js'
import { takesIdempotencyKey } from '../idempotency.js'
import { Lines } from '../lines/lines.js'
import { problemsOfTag } from '../problems/problems-of-tag.js'
import type { Refusal } from '../problems/problem-of.js'
import type { JsonSchema } from '../schema/json-schema.js'

/** What every endpoint can refuse before its use case is asked. */
const atTheDoor: readonly Refusal['_tag'][] = [
  'NotAcceptable',
  'NotAuthenticated',
  'AuthenticationFailed',
  'TokenExpired',
  'PermissionDenied',
  'Unexpected',
  'PortFailure',
  'NotHttp',
  'Throttled',
  'ServiceBusy',
]
const withBody: readonly Refusal['_tag'][] = [
  'UnsupportedMediaType',
  'PayloadTooLarge',
  'PayloadTooDeep',
  'NotUtf8',
  'NotJson',
]

/** A line that cannot be read is refused in its own line of the answer. */
const ofBody = (body: AnyEndpoint['body']): readonly Refusal['_tag'][] => {
  if (body === undefined) return []
  return body instanceof Lines ? ['UnsupportedMediaType'] : withBody
}

const ofKey: readonly Refusal['_tag'][] = [
  'IdempotencyKeyNotValid',
  'IdempotencyKeyReused',
  'IdempotencyKeyInProgress',
]

/** The refusals of an endpoint that come from the transport, or from what is around every request. */
export const transportRefusals = (
  endpoint: Pick<AnyEndpoint, 'body' | 'method' | 'success'>,
  hasParams: boolean,
  hasQuery: boolean,
): readonly Refusal['_tag'][] => [
  ...atTheDoor,
  ...ofBody(endpoint.body),
  ...(takesIdempotencyKey(endpoint) ? ofKey : []),
  ...(hasParams ? (['NothingHere'] as const) : []),
  ...(hasQuery ? (['RequestNotValid'] as const) : []),
]

type Found = { codes: Set<string>; headers: Set<string> }

const response = ({ codes, headers }: Found): JsonSchema => ({
  description: `Refused: ${[...codes].join(', ')}`,
  headers: Object.fromEntries(
    ['X-Request-Id', ...headers].map((name) => [name, { schema: { type: 'string' } }]),
  ),
  content: {
    'application/json': {
      schema: {
        $ref: '#/components/schemas/Problem',
        type: 'object',
        properties: { code: { type: 'string', enum: [...codes] } },
      },
    },
  },
})

/** The answers that refusals become, by status, each with the codes that it can have at its top. */
export const problemResponses = (tags: readonly Refusal['_tag'][]): JsonSchema => {
  const byStatus = new Map<number, Found>()
  for (const { status, body, headers } of [...new Set(tags)].flatMap(problemsOfTag)) {
    const found = byStatus.get(status) ?? { codes: new Set(), headers: new Set() }
    found.codes.add(body.code)
    for (const name of Object.keys(headers)) found.headers.add(name)
    byStatus.set(status, found)
  }
  const statuses = [...byStatus].sort(([left], [right]) => left - right)
  return Object.fromEntries(statuses.map(([status, found]) => [String(status), response(found)]))
}

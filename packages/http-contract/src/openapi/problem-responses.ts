import type { Endpoint } from '../endpoint.js'
import { takesIdempotencyKey } from '../idempotency.js'
import { Lines } from '../lines.js'
import { problemsOfTag } from '../problems/documented-problems.js'
import type { Refusal } from '../problems/problem-of.js'
import type { Problem } from '../problems/problem.js'
import type { JsonSchema } from './codec-schema.js'
import { headersOf } from './parameters.js'

/** What every request can be refused with before anything of it is looked at, and what is around every request. */
export const ofEveryRequest: readonly Refusal['_tag'][] = [
  'NotAcceptable',
  'Unexpected',
  'NotHttp',
  'Throttled',
  'ServiceBusy',
]

const ofToken: readonly Refusal['_tag'][] = [
  'NotAuthenticated',
  'AuthenticationFailed',
  'TokenExpired',
  'PermissionDenied',
  'PortFailure',
]

/** What a body of JSON can be refused with before anybody looks at what it holds. */
export const ofJson: readonly Refusal['_tag'][] = [
  'UnsupportedMediaType',
  'PayloadTooLarge',
  'PayloadTooDeep',
  'NotUtf8',
  'NotJson',
]

/** A line that cannot be read is refused in its own line of the answer; packed bytes that are no gzip have no lines. */
const ofBody = (body: Endpoint['body']): readonly Refusal['_tag'][] => {
  if (body === undefined) return []
  return body instanceof Lines ? ['UnsupportedMediaType', 'NotJson'] : ofJson
}

const ofKey: readonly Refusal['_tag'][] = [
  'IdempotencyKeyNotValid',
  'IdempotencyKeyReused',
  'IdempotencyKeyInProgress',
  'IdempotencyRecordsFull',
]

/** The refusals of an endpoint that come from the transport, or from what is around every request. */
export const transportRefusals = (
  endpoint: Pick<Endpoint, 'body' | 'method' | 'success'>,
  hasParams: boolean,
  hasQuery: boolean,
): readonly Refusal['_tag'][] => [
  ...ofEveryRequest,
  ...ofToken,
  ...ofBody(endpoint.body),
  ...(takesIdempotencyKey(endpoint) ? ofKey : []),
  ...(hasParams ? (['NothingHere'] as const) : []),
  ...(hasQuery ? (['RequestNotValid'] as const) : []),
]

/** The answers of one status that refusals become: the codes at their top, and the headers of each of them. */
type Found = { readonly codes: Set<string>; readonly headers: (readonly string[])[] }

const problemSchema = (codes: Iterable<string>): JsonSchema => ({
  $ref: '#/components/schemas/Problem',
  type: 'object',
  properties: { code: { type: 'string', enum: [...codes] } },
})

/** `more`: headers that any of these answers may have besides. */
const response = ({ codes, headers }: Found, more: readonly string[]): JsonSchema => {
  const named = new Set(headers.flat())
  const isAlways = (name: string): boolean => headers.every((each) => each.includes(name))
  const always = [...named].filter(isAlways)
  const sometimes = [...named, ...more].filter((name) => !always.includes(name))
  return {
    description: `Refused: ${[...codes].join(', ')}`,
    headers: headersOf(['X-Request-Id', ...always], sometimes),
    content: { 'application/json': { schema: problemSchema(codes) } },
  }
}

const byStatus = (problems: readonly Problem[]): ReadonlyMap<number, Found> => {
  const found = new Map<number, Found>()
  for (const { status, body, headers } of problems) {
    const { codes, headers: each } = found.get(status) ?? { codes: new Set<string>(), headers: [] }
    codes.add(body.code)
    each.push(Object.keys(headers))
    found.set(status, { codes, headers: each })
  }
  return found
}

/**
 * The answers that refusals become, by status, each with the codes that it can have at its top. `moreOf`: headers that an
 * answer of a status may have besides those of the problem table.
 */
export const problemResponses = (
  tags: readonly Refusal['_tag'][],
  moreOf: (status: number) => readonly string[] = () => [],
): JsonSchema => {
  const statuses = [...byStatus([...new Set(tags)].flatMap(problemsOfTag))]
  statuses.sort(([left], [right]) => left - right)
  return Object.fromEntries(
    statuses.map(([status, found]) => [String(status), response(found, moreOf(status))]),
  )
}

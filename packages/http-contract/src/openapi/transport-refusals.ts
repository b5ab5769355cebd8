import type { AnyEndpoint } from '../endpoint.js'
import { takesIdempotencyKey } from '../idempotency.js'
import { Lines } from '../lines/lines.js'
import type { Refusal } from '../problems/problem-of.js'

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
const ofBody = (body: AnyEndpoint['body']): readonly Refusal['_tag'][] => {
  if (body === undefined) return []
  return body instanceof Lines ? ['UnsupportedMediaType', 'NotJson'] : ofJson
}

const ofKey: readonly Refusal['_tag'][] = [
  'IdempotencyKeyNotValid',
  'IdempotencyKeyReused',
  'IdempotencyKeyInProgress',
  'KeptAnswersFull',
]

/** The refusals of an endpoint that come from the transport, or from what is around every request. */
export const transportRefusals = (
  endpoint: Pick<AnyEndpoint, 'body' | 'method' | 'success'>,
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

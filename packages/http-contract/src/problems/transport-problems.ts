import { detailOf, type FieldError } from '@account-import/core'
import { blankLinesLimit, nestingLimit } from '../limits.js'
import { type Problem, problem, retryAfter, type TextPosition } from './problem.js'
import { tokenChallenge } from './use-case-problems.js'

/** Every way in which a request is refused before, or instead of, its use case. */
export type TransportRefusal =
  /** No such path, or a path parameter that is malformed. */
  | Readonly<{ _tag: 'NothingHere' }>
  | Readonly<{ _tag: 'MethodNotAllowed'; allow: readonly string[] }>
  | Readonly<{ _tag: 'NotAcceptable' }>
  | Readonly<{ _tag: 'NotAuthenticated' }>
  | Readonly<{ _tag: 'PermissionDenied' }>
  | Readonly<{ _tag: 'RequestNotValid'; errors: readonly FieldError[] }>
  | Readonly<{ _tag: 'IdempotencyKeyNotValid' }>
  | Readonly<{ _tag: 'UnsupportedMediaType' }>
  /** `wrong`: where not the length of the body or line is too large, but how it is packed, or how much of it is blank. */
  | Readonly<{ _tag: 'PayloadTooLarge'; limitBytes: number; wrong?: 'ratio' | 'blank_lines' }>
  | Readonly<{ _tag: 'PayloadTooDeep' }>
  | Readonly<{ _tag: 'NotUtf8' }>
  /** `at`: where the text is no JSON any more; absent where it could not be read so far. */
  | Readonly<{ _tag: 'NotJson'; at?: TextPosition }>
  /** Not HTTP, or its headers are too large or came too slowly; `wrong`: what of it, where that is known. */
  | Readonly<{ _tag: 'NotHttp'; status: 400 | 408 | 431; wrong?: 'host' | 'headers' | 'target' | 'version' }>
  /** The key, or the connection, has asked for more than it may at one time or in a window of time. */
  | Readonly<{ _tag: 'Throttled'; retryAfterSeconds: number }>
  /** The service has more work than it can do in time. */
  | Readonly<{ _tag: 'ServiceBusy'; retryAfterSeconds: number }>
  /** A failure of the service itself. The cause is for the log only. */
  | Readonly<{ _tag: 'Unexpected'; cause: unknown }>

const placeOf = ({ line, column }: TextPosition): string =>
  line === undefined ? `column ${column}` : `line ${line}, column ${column}`

/** The text of `parse_error`, with the place where the text is no JSON any more. */
export const parseErrorDetail = (at: TextPosition | undefined): string => {
  if (at?.isRepeatedKey === true)
    return `The body has a key twice in one object at ${placeOf(at)}. Name each key once.`
  const detail = detailOf('parse_error')
  return at === undefined ? detail : detail.replace(/\.$/, ` at ${placeOf(at)}.`)
}

type Rows = Readonly<{
  [Tag in TransportRefusal['_tag']]: (
    refusal: Extract<TransportRefusal, { _tag: Tag }>,
    requestId: string,
  ) => Problem
}>

type NotHttp = Extract<TransportRefusal, { _tag: 'NotHttp' }>

const wrongHttp: Readonly<Record<NonNullable<NotHttp['wrong']>, string>> = {
  host: 'A request needs one Host header, and no more. Correct it and send it again.',
  headers: 'The request has too many headers. Send at most 100.',
  target: 'The target of the request has no path. Ask for a path, such as /v1/graphql/.',
  version: 'The request is not of HTTP/1.1 or HTTP/1.0. Use one of them.',
}

type TooLarge = Extract<TransportRefusal, { _tag: 'PayloadTooLarge' }>

const wrongLength: Readonly<Record<NonNullable<TooLarge['wrong']>, string>> = {
  ratio: 'The body unpacks to more than 100 times its packed length. Send it unpacked.',
  blank_lines: `There are more than ${blankLinesLimit} blank lines in a row. Send one account a line.`,
}

const tooLarge = ({ limitBytes, wrong }: TooLarge): Problem => {
  const too = problem(413, 'payload_too_large', { params: { max: limitBytes } })
  return wrong === undefined ? too : { ...too, body: { ...too.body, detail: wrongLength[wrong] } }
}

/** The catalogue has no code for broken HTTP, so the nearest one gets a detail of its own. */
const notHttp = ({ status, wrong }: NotHttp): Problem => {
  const parseError = problem(status, 'parse_error', { headers: { Connection: 'close' } })
  const detail =
    wrong === undefined
      ? 'The request is not complete and valid HTTP. Correct it and send it again.'
      : wrongHttp[wrong]
  return { ...parseError, body: { ...parseError.body, detail } }
}

/** Status, body and headers of every refusal that comes from the transport. */
export const transportProblems: Rows = {
  NothingHere: () => problem(404, 'not_found'),
  MethodNotAllowed: ({ allow }) =>
    problem(405, 'method_not_allowed', { headers: { Allow: allow.join(', ') } }),
  NotAcceptable: () => problem(406, 'not_acceptable'),
  NotAuthenticated: () => problem(401, 'not_authenticated', { headers: tokenChallenge }),
  PermissionDenied: () => problem(403, 'permission_denied'),
  RequestNotValid: ({ errors }) => problem(400, 'request_failed_validation', { errors }),
  IdempotencyKeyNotValid: () => problem(400, 'invalid_idempotency_key'),
  UnsupportedMediaType: () =>
    problem(415, 'unsupported_media_type', { headers: { 'Accept-Encoding': 'gzip' } }),
  PayloadTooLarge: tooLarge,
  PayloadTooDeep: () => problem(400, 'payload_too_deep', { params: { max: nestingLimit } }),
  NotUtf8: () => problem(400, 'invalid_encoding'),
  NotJson: ({ at }) => {
    const parseError = problem(400, 'parse_error')
    return { ...parseError, body: { ...parseError.body, detail: parseErrorDetail(at) } }
  },
  NotHttp: notHttp,
  Throttled: ({ retryAfterSeconds }) => problem(429, 'throttled', { headers: retryAfter(retryAfterSeconds) }),
  ServiceBusy: ({ retryAfterSeconds }) =>
    problem(503, 'service_busy', { headers: retryAfter(retryAfterSeconds) }),
  Unexpected: (_, requestId) => problem(500, 'error', { extras: { request_id: requestId } }),
}

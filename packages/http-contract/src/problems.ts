import {
  detailOf,
  type ErrorCode,
  type FieldError,
  isErrorCode,
  type PaymentNotVerified,
  refusalCodes,
  type UseCases,
} from '@account-import/core'
import type { Either } from '@account-import/core/fp'
import { Text } from '@account-import/core/payloads'
import * as t from 'io-ts'
import { QueryIntegerType } from './address-codecs.js'
import { blankLinesLimit, nestingLimit } from './limits.js'
import { warningHeaders } from './warning-headers.js'

/** A number in the form of the request. */
const sentNumber = t.union([t.number, t.string])

const lineItem = t.intersection([
  t.type({ start_date: t.string, end_date: t.string, number_of_units: sentNumber, net_amount: sentNumber }),
  t.partial({ rate_band: t.string, price_per_unit: sentNumber, units: t.readonlyArray(sentNumber) }),
])

const taxItem = t.type({
  amount: sentNumber,
  tax_type: t.string,
  value_taxed: sentNumber,
  rate: sentNumber,
  unit_type: t.string,
})

/**
 * The echo of a transaction: `amount` as text with two decimals, dates as `YYYY-MM-DD`. A transaction that was moved into the
 * open statement period has the new date, and a display note about the move.
 */
export const transactionData = t.intersection(
  [
    t.type({ transaction_id: t.string, transaction_date: t.string, amount: t.string, type: t.string }),
    t.partial({
      reason: t.string,
      reference: t.string,
      payment_type: t.string,
      display_note: t.string,
      note: t.string,
      product_code: t.string,
      line_items: t.readonlyArray(lineItem),
      tax_items: t.readonlyArray(taxItem),
      ledger_code: t.string,
    }),
  ],
  'TransactionData',
)

/**
 * The position at which a text stops being JSON: line and column from 1, columns in UTF-16 units as in editors. `line` is absent
 * for one line of a bulk request. `isRepeatedKey`: the position of a key that its object already has.
 */
export type TextPosition = Readonly<{ line?: number; column: number; isRepeatedKey?: boolean }>

const fieldErrorOf = (error: t.ValidationError): FieldError => {
  const last = error.context.at(-1)
  const { type } = last ?? {}
  const form = type !== undefined && 'form' in type ? String(type.form) : 'the documented form'
  const limits = {
    form,
    ...((type instanceof QueryIntegerType || type instanceof Text) && { max: type.max }),
    ...(type instanceof QueryIntegerType && { min: type.min }),
  }
  const given = error.message !== undefined && isErrorCode(error.message) ? error.message : 'invalid'
  const code = last !== undefined && 'actual' in last && last.actual === undefined ? 'required' : given
  const attr = error.context
    .map(({ key }) => key)
    .filter((key) => key !== '')
    .join('.')
  return { detail: detailOf(code, limits), code, attr }
}

/** The errors of a codec of the contract as entries of `errors`; codes are from the message slot. */
export const fieldErrorsOf = (errors: t.Errors): readonly FieldError[] => errors.map(fieldErrorOf)

/** The body of a refusal that this service writes: its codes are from the catalogue. */
export type WrittenBody = Omit<ProblemBody, 'code' | 'errors'> &
  Readonly<{ code: ErrorCode; errors: readonly FieldError[] }>

/** The response to a refusal. */
export type Problem = Readonly<{
  status: number
  body: WrittenBody
  headers: Readonly<Record<string, string>>
}>

type Parts = Readonly<{
  /** Texts for the placeholders of the detail, from the contract, never from a payload. */
  params?: Readonly<Record<string, string | number>>
  errors?: readonly FieldError[]
  extras?: Omit<ProblemBody, 'detail' | 'code' | 'errors'>
  headers?: Readonly<Record<string, string>>
}>

const none: Readonly<Record<string, string>> = {}

/** The body that all problems share, with the detail of the catalogue. */
const problem = (status: number, code: ErrorCode, parts: Parts = {}): Problem => ({
  status,
  body: { detail: detailOf(code, parts.params), code, errors: parts.errors ?? [], ...parts.extras },
  headers: parts.headers ?? none,
})

/** `Retry-After` in whole seconds, at least 1. */
const retryAfter = (seconds: number): Readonly<Record<string, string>> => ({
  'Retry-After': String(Math.max(1, Math.ceil(seconds))),
})

export const fieldError = t.readonly(
  t.type({ detail: t.string, code: t.string, attr: t.string }),
  'FieldError',
)

/**
 * The body of every refusal. `errors` is empty unless the input failed validation. The problem table adds the optional fields;
 * `request_id` is present on status 500 only.
 */
export const problemBody = t.readonly(
  t.intersection([
    t.type({ detail: t.string, code: t.string, errors: t.readonlyArray(fieldError) }),
    t.partial({
      error_detail: t.string,
      external_account_number: t.string,
      import_supplier: t.string,
      platform_account_number: t.string,
      reference: t.string,
      request_id: t.string,
      same_data: t.boolean,
      status: t.keyof({ TRANSACTION_IMPORT_ERROR: null }),
      transaction_data: transactionData,
    }),
  ]),
  'Problem',
)
export type ProblemBody = t.TypeOf<typeof problemBody>

/** Refusals of the transport, before or instead of the use case. */
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
  /** `wrong`: the fault where it is not the length of the body or line: the compression ratio, or the blank lines. */
  | Readonly<{ _tag: 'PayloadTooLarge'; limitBytes: number; wrong?: 'ratio' | 'blank_lines' }>
  | Readonly<{ _tag: 'PayloadTooDeep' }>
  | Readonly<{ _tag: 'NotUtf8' }>
  /** `at`: the position of the fault; absent where it is unknown. `wrong`: the body is no gzip data, so its JSON was not read. */
  | Readonly<{ _tag: 'NotJson'; at?: TextPosition; wrong?: 'gzip' }>
  /** The request is not HTTP, or its headers are too large or too slow. `wrong`: the faulty part, where it is known. */
  | Readonly<{ _tag: 'NotHttp'; status: 400 | 408 | 431; wrong?: 'host' | 'headers' | 'target' | 'version' }>
  /** The key, its organisation or the connection exceeds its limit of concurrent requests, its rate, or its room for bodies. */
  | Readonly<{ _tag: 'Throttled'; retryAfterSeconds: number }>
  /** The service has more work than it can do in time. */
  | Readonly<{ _tag: 'ServiceBusy'; retryAfterSeconds: number }>
  /** A failure of the service itself. The cause is for the log only. */
  | Readonly<{ _tag: 'Unexpected'; cause: unknown }>

const placeOf = ({ line, column }: TextPosition): string =>
  line === undefined ? `column ${column}` : `line ${line}, column ${column}`

/** The detail of `parse_error`, with the position of the fault. */
export const parseErrorDetail = (at: TextPosition | undefined): string => {
  if (at?.isRepeatedKey === true)
    return `The body has a key twice in one object at ${placeOf(at)}. Name each key once.`
  const detail = detailOf('parse_error')
  return at === undefined ? detail : detail.replace(/\.$/, ` at ${placeOf(at)}.`)
}

const damagedGzip =
  'The gzip data of the body is damaged, cut short, or has other bytes behind its end. Compress the body again.'

type NotHttp = Extract<TransportRefusal, { _tag: 'NotHttp' }>

const wrongHttp: Readonly<Record<NonNullable<NotHttp['wrong']>, string>> = {
  host: 'A request needs one Host header, and no more, with a valid name and port. Correct it and send it again.',
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
  const too = problem(413, refusalCodes.PayloadTooLarge, { params: { max: limitBytes } })
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

/** Seconds to wait before a retry when a store is unavailable. */
const unavailableRetrySeconds = 2

const tokenChallenge = { 'WWW-Authenticate': 'Token' } as const

/** The problem of a payment instruction that was not verified, with the fields that identify the instruction. */
const notVerified = (
  status: number,
  code: ErrorCode,
  asked: PaymentNotVerified,
  headers: Readonly<Record<string, string>> = {},
): Problem =>
  problem(status, code, {
    extras: {
      error_detail: detailOf(code),
      external_account_number: asked.externalAccountNumber,
      import_supplier: asked.importSupplier,
      reference: asked.reference,
    },
    headers,
  })

/**
 * Refusals of the transport, and refusals and failures of the use cases behind HTTP. The latter are inferred from the signatures:
 * a new tag without a row in the problem table does not compile.
 */
export type Refusal =
  | TransportRefusal
  | (UseCases[Exclude<keyof UseCases, 'operator' | 'emails'>] extends infer UseCase
      ? UseCase extends (...args: never[]) => Promise<Either<infer Refused extends { _tag: string }, unknown>>
        ? Refused
        : never
      : never)

/** Status, body and headers of every refusal: first those of use cases, then those of the transport. */
export const problemTable: Readonly<{
  [Tag in Refusal['_tag']]: (refusal: Extract<Refusal, { _tag: Tag }>, requestId: string) => Problem
}> = {
  AccountFailedValidation: ({ errors, warnings }) =>
    problem(400, refusalCodes.AccountFailedValidation, { errors, headers: warningHeaders(warnings) }),
  RequestFailedValidation: ({ errors, warnings }) =>
    problem(400, refusalCodes.RequestFailedValidation, { errors, headers: warningHeaders(warnings) }),
  AccountAlreadyImported: ({ externalAccountNumber, platformAccountNumber, sameData }) =>
    problem(400, refusalCodes.AccountAlreadyImported, {
      extras: {
        external_account_number: externalAccountNumber,
        platform_account_number: platformAccountNumber,
        ...(sameData !== undefined && { same_data: sameData }),
      },
    }),
  AccountImportInProgress: () => problem(400, refusalCodes.AccountImportInProgress),
  AccountProcessedElsewhere: ({ retryAfterSeconds }) =>
    problem(429, refusalCodes.AccountProcessedElsewhere, { headers: retryAfter(retryAfterSeconds) }),
  AccountMarkedToSkip: () => problem(400, refusalCodes.AccountMarkedToSkip),
  SupplierNotOngoing: () => problem(400, refusalCodes.SupplierNotOngoing),
  SupplierComplete: () => problem(400, 'import_supplier_migration_complete'),
  UndoNotConfirmed: () => problem(400, 'undo_not_confirmed'),
  NothingStaged: () => problem(400, refusalCodes.NothingStaged),
  OperationsTeamDoesNotExist: () => problem(400, refusalCodes.OperationsTeamDoesNotExist),
  DryRunSucceeded: () => problem(400, refusalCodes.DryRunSucceeded),
  ConcurrencyLimitReached: ({ retryAfterSeconds }) =>
    problem(429, refusalCodes.ConcurrencyLimitReached, { headers: retryAfter(retryAfterSeconds) }),
  ClaimLost: ({ retryAfterSeconds }) =>
    problem(429, refusalCodes.ClaimLost, { headers: retryAfter(retryAfterSeconds) }),
  TransactionOutsideOpenPeriod: ({ transactionData, warnings }) =>
    problem(400, 'transaction_outside_open_statement_period', {
      extras: {
        status: 'TRANSACTION_IMPORT_ERROR',
        error_detail: detailOf('transaction_outside_open_statement_period'),
        transaction_data: transactionData,
      },
      headers: warningHeaders(warnings),
    }),
  AccountNotFound: () => problem(404, 'account_not_found'),
  RefusedByPlatform: () => problem(409, 'refused_by_platform'),
  PaymentInstructionNotFound: (asked) => notVerified(400, 'payment_instruction_not_found', asked),
  PaymentInstructionNotUsable: (asked) => notVerified(400, 'payment_instruction_not_usable', asked),
  PaymentVendorRefused: (asked) => notVerified(400, 'payment_vendor_refused', asked),
  PaymentVendorUnavailable: (asked) =>
    notVerified(500, 'payment_vendor_unavailable', asked, retryAfter(asked.retryAfterSeconds)),
  PaymentVendorUnreachable: (asked) => notVerified(400, 'payment_vendor_unreachable', asked),
  SupplierNotFound: () => problem(404, 'not_found'),
  AccountImportNotFound: () => problem(404, 'import_process_does_not_exist'),
  ImportRunDoesNotExist: () => problem(404, refusalCodes.ImportRunDoesNotExist),
  ImportRunFinished: () => problem(409, 'import_run_finished'),
  IdempotencyKeyReused: () => problem(422, 'idempotency_key_reused'),
  IdempotencyKeyInProgress: ({ retryAfterSeconds }) =>
    problem(409, 'idempotency_key_in_progress', { headers: retryAfter(retryAfterSeconds) }),
  AuthenticationFailed: () => problem(401, 'authentication_failed', { headers: tokenChallenge }),
  RefreshTokenReused: () => problem(401, 'authentication_failed', { headers: tokenChallenge }),
  TokenExpired: () => problem(401, 'token_expired', { headers: tokenChallenge }),
  TooManyAttempts: ({ retryAfterSeconds }) =>
    problem(429, 'throttled', { headers: retryAfter(retryAfterSeconds) }),
  PortFailure: ({ kind }, requestId) =>
    kind === 'unavailable'
      ? problem(503, 'service_unavailable', { headers: retryAfter(unavailableRetrySeconds) })
      : problem(500, 'error', { extras: { request_id: requestId } }),
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
  PayloadTooDeep: () => problem(400, refusalCodes.PayloadTooDeep, { params: { max: nestingLimit } }),
  NotUtf8: () => problem(400, refusalCodes.NotUtf8),
  NotJson: ({ at, wrong }) => {
    const parseError = problem(400, refusalCodes.NotJson)
    const detail = wrong === 'gzip' ? damagedGzip : parseErrorDetail(at)
    return { ...parseError, body: { ...parseError.body, detail } }
  },
  NotHttp: notHttp,
  Throttled: ({ retryAfterSeconds }) => problem(429, 'throttled', { headers: retryAfter(retryAfterSeconds) }),
  ServiceBusy: ({ retryAfterSeconds }) =>
    problem(503, 'service_busy', { headers: retryAfter(retryAfterSeconds) }),
  Unexpected: (_, requestId) => problem(500, 'error', { extras: { request_id: requestId } }),
}

/** The response to a refusal. `requestId` is in the body where the service itself is at fault. */
export const problemOf = (refusal: Refusal, requestId: string): Problem => {
  // The tag selects the row, so the row accepts this refusal; the compiler cannot infer that for a union.
  const row: (refusal: never, requestId: string) => Problem = problemTable[refusal._tag]
  return row(refusal as never, requestId)
}

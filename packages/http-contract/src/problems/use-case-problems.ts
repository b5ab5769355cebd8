import { detailOf, type ErrorCode, type PaymentNotVerified, type UseCases } from '@account-import/core'
import type { TaskEither } from '@account-import/core/adapter-kit'
import { warningHeaders } from '../warning-headers.js'
import { type Problem, problem, retryAfter } from './problem.js'

/** What a use case may refuse with. */
export type RefusalOf<UseCase> = UseCase extends (
  ...args: never[]
) => TaskEither<infer Refused extends { _tag: string }, unknown>
  ? Refused
  : never

/**
 * Every way in which the use cases behind HTTP refuse or fail, read from their signatures: a tag that is added
 * there without a row in the table does not compile.
 */
export type UseCaseRefusal = RefusalOf<UseCases[Exclude<keyof UseCases, 'operator' | 'emails'>]>

/** Seconds after which a store that was out of reach is worth asking again. */
const unavailableRetrySeconds = 2

export const tokenChallenge = { 'WWW-Authenticate': 'Token' } as const

type Rows = Readonly<{
  [Tag in UseCaseRefusal['_tag']]: (
    refusal: Extract<UseCaseRefusal, { _tag: Tag }>,
    requestId: string,
  ) => Problem
}>

/** Which instruction a vendor did not verify stands beside the code. */
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

/** Status, body and headers of every refusal of a use case. */
export const useCaseProblems: Rows = {
  AccountFailedValidation: ({ errors, warnings }) =>
    problem(400, 'account_failed_validation', { errors, headers: warningHeaders(warnings) }),
  RequestFailedValidation: ({ errors, warnings }) =>
    problem(400, 'request_failed_validation', { errors, headers: warningHeaders(warnings) }),
  AccountAlreadyImported: ({ externalAccountNumber, platformAccountNumber }) =>
    problem(400, 'account_already_imported', {
      extras: {
        external_account_number: externalAccountNumber,
        platform_account_number: platformAccountNumber,
      },
    }),
  AccountImportInProgress: () => problem(400, 'account_import_in_progress'),
  AccountProcessedElsewhere: ({ retryAfterSeconds }) =>
    problem(429, 'account_import_in_progress', { headers: retryAfter(retryAfterSeconds) }),
  AccountMarkedToSkip: () => problem(400, 'account_marked_to_skip'),
  SupplierNotOngoing: () => problem(400, 'import_supplier_migration_not_ongoing'),
  NothingStaged: () => problem(400, 'import_process_does_not_exist'),
  OperationsTeamDoesNotExist: () => problem(400, 'operations_team_name_does_not_exist'),
  DryRunSucceeded: () => problem(400, 'dry_run_succeeded'),
  ConcurrencyLimitReached: ({ retryAfterSeconds }) =>
    problem(429, 'concurrency_limit_reached', { headers: retryAfter(retryAfterSeconds) }),
  ClaimLost: ({ retryAfterSeconds }) =>
    problem(429, 'account_import_in_progress', { headers: retryAfter(retryAfterSeconds) }),
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
  PaymentInstructionNotFound: (asked) => notVerified(400, 'payment_instruction_not_found', asked),
  PaymentInstructionNotUsable: (asked) => notVerified(400, 'payment_instruction_not_usable', asked),
  PaymentVendorRefused: (asked) => notVerified(400, 'payment_vendor_refused', asked),
  PaymentVendorUnavailable: (asked) =>
    notVerified(500, 'payment_vendor_unavailable', asked, retryAfter(asked.retryAfterSeconds)),
  PaymentVendorUnreachable: (asked) => notVerified(400, 'payment_vendor_unreachable', asked),
  SupplierNotFound: () => problem(404, 'not_found'),
  AccountImportNotFound: () => problem(404, 'import_process_does_not_exist'),
  IdempotencyKeyReused: () => problem(422, 'idempotency_key_reused'),
  IdempotencyKeyInProgress: ({ retryAfterSeconds }) =>
    problem(409, 'idempotency_key_in_progress', { headers: retryAfter(retryAfterSeconds) }),
  IdempotencyRecordsFull: ({ retryAfterSeconds }) =>
    problem(429, 'throttled', { headers: retryAfter(retryAfterSeconds) }),
  AuthenticationFailed: () => problem(401, 'authentication_failed', { headers: tokenChallenge }),
  RefreshTokenReused: () => problem(401, 'authentication_failed', { headers: tokenChallenge }),
  TokenExpired: () => problem(401, 'token_expired', { headers: tokenChallenge }),
  TooManyAttempts: ({ retryAfterSeconds }) =>
    problem(429, 'throttled', { headers: retryAfter(retryAfterSeconds) }),
  PortFailure: ({ kind }, requestId) =>
    kind === 'unavailable'
      ? problem(503, 'service_unavailable', { headers: retryAfter(unavailableRetrySeconds) })
      : problem(500, 'error', { extras: { request_id: requestId } }),
}

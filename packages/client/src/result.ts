import { type ErrorCode, isErrorCode } from '@account-import/core'
import { errorPagePath, type ProblemBody, type Warning } from '@account-import/http-contract'

/** Any JSON object may be sent: the service validates it. The type of the payload is there to help. */
export type JsonObject = Readonly<Record<string, unknown>>

/** JSON whose fields the compiler does not know, such as `Record<string, unknown>`. */
export type UntypedJson<Given> = Given & (string extends keyof Given ? unknown : never)

/** Options that end a call before its answer is there. */
export type CallOptions = Readonly<{
  /** Ends it with the code `aborted`. */
  signal?: AbortSignal
  /**
   * For how long the service may say nothing before it ends with `service_silent`; the client's own when left out. 0, or
   * `Infinity`: for as long as it likes. For a method that answers once it is the time for the whole answer; for one that answers
   * line by line, that between two lines.
   */
  silenceSeconds?: number
}>

/** How a POST is repeated. */
export type KeyedOptions = CallOptions &
  Readonly<{
    /**
     * 1 to 255 visible ASCII characters that name the request, such as a UUID: sent again with the same key, it is answered
     * once, for 24 hours. With it a request is repeated while it has no answer that stays. Left out: sent once.
     */
    idempotencyKey?: string
    /** For how long it is repeated, where it has a key; 60 when left out, 0 for never. */
    retrySeconds?: number
  }>

/** How transactions are added; each is true when it is absent. */
export type TransactionOptions = Readonly<{
  /** Pass over transactions whose id the account has already; false adds them again. */
  checkPreviouslyAdded?: boolean
  /** Move a date outside the open statement period into it; false makes such a transaction fail. */
  forceAddToCurrentStatement?: boolean
}>

/** Adds the page of the service that explains the code. */
export const explained = (baseUrl: string, failure: Failure): Failure =>
  isErrorCode(failure.code) ? { ...failure, docsUrl: baseUrl + errorPagePath(failure.code) } : failure

/** Codes of failures that the client itself finds; `unknown_code` if the service is newer than this client. */
export type ClientCode =
  | 'network'
  | 'unexpected_answer'
  | 'redirected'
  | 'address_not_possible'
  | 'unknown_code'
  | 'answer_cut'
  | 'service_silent'
  | 'aborted'

/** The warnings that fitted into the header, at most 20; `warningsTotal` counts all. */
export type Warned = Readonly<{ warnings: readonly Warning[]; warningsTotal: number }>

/** The service did what was asked. */
export type Success<Body> = Warned & Readonly<{ ok: true; status: number; body: Body; requestId: string }>

/**
 * The service refused, could not be reached, or answered what it should not. Nothing is thrown for these.
 *
 * `status` is the HTTP status; 0 when there was no answer. `code` is that of `problem` if the catalogue has it, or one of the
 * client's own: `network` (no answer, or it broke off; the request may have been done), `unexpected_answer` (not an answer of
 * this service), `address_not_possible` (an identifier that no URL can carry, such as `..`), `redirected` (to another address,
 * which the client does not follow), `service_silent` (for too long; the request may have been done), `aborted` (by the caller)
 * or `unknown_code` (see `problem.code`). Bulk methods have one more: `answer_cut` (the answer ended before its last line). A
 * refused API key is 401 `authentication_failed`, too many attempts with wrong ones 429 `throttled`. Data that failed validation
 * may have got warnings too.
 */
export type Failure = Warned &
  Readonly<{
    ok: false
    status: number
    code: ErrorCode | ClientCode
    problem: ProblemBody
    /** The page of the service that explains the code; absent for the client's own codes. */
    docsUrl?: string
    /** When the service says so: seconds after which the same request may be sent again. */
    retryAfterSeconds?: number
    /** The service's id of the request, for its operator; empty without an answer. */
    requestId: string
    /** Why there was no answer; what fetch was rejected with. */
    cause?: unknown
  }>

export type Result<Body> = Success<Body> | Failure

const noWarnings: Warned = { warnings: [], warningsTotal: 0 }

/** A failure that the client itself found. */
export const ownFailure = (
  code: Exclude<ClientCode, 'unknown_code'>,
  detail: string,
  more: Partial<Failure> = {},
): Failure => ({
  ok: false,
  status: 0,
  requestId: '',
  ...noWarnings,
  ...more,
  code,
  problem: { detail, code, errors: [] },
})

/** The caller's signal ended the call. */
export const stopped = (): Failure => ownFailure('aborted', 'Stopped by the caller.')

/** No answer, or not the whole of it. */
export const noAnswer = (cause: unknown): Failure =>
  ownFailure('network', 'The service did not answer, or its answer broke off.', { cause })

/** An answer that this service does not give. */
export const notOurs = (head: Partial<Failure>): Failure =>
  ownFailure('unexpected_answer', 'This is not an answer of the account import service.', head)

/** A refusal of the service. */
export const serviceFailure = (
  problem: ProblemBody,
  head: Pick<Failure, 'status' | 'requestId' | 'retryAfterSeconds'> & Partial<Warned>,
): Failure => ({
  ok: false,
  ...noWarnings,
  ...head,
  code: isErrorCode(problem.code) ? problem.code : 'unknown_code',
  problem,
})

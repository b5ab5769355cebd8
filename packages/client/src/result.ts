import { type ErrorCode, isErrorCode } from '@account-import/core'
import { errorPagePath, type ProblemBody, type Warning } from '@account-import/http-contract'

/** Any JSON object. The service validates it, so the types of payloads are only an aid. */
export type JsonObject = Readonly<Record<string, unknown>>

/** JSON with fields that are unknown to the compiler, such as `Record<string, unknown>`. */
export type UntypedJson<Given> = Given & (string extends keyof Given ? unknown : never)

/** Options that end a call before its response. */
export type CallOptions = Readonly<{
  /** Ends the call with the code `aborted`. */
  signal?: AbortSignal
  /**
   * Seconds without data from the service, after which the call ends with `service_silent`; that of the client when left out. 0,
   * or `Infinity`: unlimited. For a method with a single response it is the time for the whole response; for one with a stream of
   * lines, the time between two lines.
   */
  silenceSeconds?: number
}>

/** How a POST is retried. */
export type KeyedOptions = CallOptions &
  Readonly<{
    /**
     * 1 to 255 visible ASCII characters that identify the request, such as a UUID. For 24 hours, repeated requests with the same
     * key are done once. With a key, the request is repeated until its response is final. Left out: the request is sent once.
     */
    idempotencyKey?: string
    /** Seconds of retries of a request with a key; 60 when left out, 0 for no retry. */
    retrySeconds?: number
  }>

/** How transactions are added; each option is true when absent. */
export type TransactionOptions = Readonly<{
  /** Skip transactions whose id the account already has; false adds them again. */
  checkPreviouslyAdded?: boolean
  /** Move a date outside the open statement period into it; false makes such a transaction fail. */
  forceAddToCurrentStatement?: boolean
}>

/** Adds the address of the page that explains the code. */
export const explained = (baseUrl: string, failure: Failure): Failure =>
  isErrorCode(failure.code) ? { ...failure, docsUrl: baseUrl + errorPagePath(failure.code) } : failure

/** Codes of failures that the client itself detects; `unknown_code` if the service is newer than this client. */
export type ClientCode =
  | 'network'
  | 'unexpected_answer'
  | 'redirected'
  | 'address_not_possible'
  | 'unknown_code'
  | 'answer_cut'
  | 'service_silent'
  | 'aborted'

/** The warnings in the header, at most 20; `warningsTotal` counts all warnings. */
export type Warned = Readonly<{ warnings: readonly Warning[]; warningsTotal: number }>

/** The service fulfilled the request. */
export type Success<Body> = Warned & Readonly<{ ok: true; status: number; body: Body; requestId: string }>

/**
 * The service refused, could not be reached, or sent an unexpected response. None of these is thrown.
 *
 * `status` is the HTTP status; 0 when there was no answer. `code` is that of `problem` if the catalogue has it, or one of the
 * client's own: `network` (no answer, or it broke off; the request may have been done), `unexpected_answer` (not an answer of
 * this service), `address_not_possible` (an identifier that no URL can carry, such as `..`), `redirected` (to another address,
 * which the client does not follow), `service_silent` (for too long; the request may have been done), `aborted` (by the caller)
 * or `unknown_code` (see `problem.code`). Bulk methods have one more: `answer_cut` (the answer ended before its last line). A
 * refused API key is 401 `authentication_failed`, too many attempts with wrong ones 429 `throttled`. Data that failed validation
 * may have warnings too.
 */
export type Failure = Warned &
  Readonly<{
    ok: false
    status: number
    code: ErrorCode | ClientCode
    problem: ProblemBody
    /** The page of the service that explains the code; absent for the client's own codes. */
    docsUrl?: string
    /** Seconds after which the same request may be sent again, from `Retry-After`. */
    retryAfterSeconds?: number
    /** The service's id of the request, for its operator; empty without an answer. */
    requestId: string
    /** The cause of a missing response: the rejection of `fetch`. */
    cause?: unknown
  }>

export type Result<Body> = Success<Body> | Failure

const noWarnings: Warned = { warnings: [], warningsTotal: 0 }

/** A failure that the client itself detected. */
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

/** The caller's signal aborted the call. */
export const stopped = (): Failure => ownFailure('aborted', 'Stopped by the caller.')

/** No response, or an incomplete one. */
export const noAnswer = (cause: unknown): Failure =>
  ownFailure('network', 'The service did not answer, or its answer broke off.', { cause })

/** The first 80 printable characters of the title of a page, or of the text of another body. */
const titleOf = (body: string): string => {
  const [, title] = /<title[^>]*>([^<]*)/i.exec(body) ?? []
  const text =
    title ?? body.slice(0, 10_000).replaceAll(/<(?:style|script)[^]*?<\/(?:style|script)>|<[^>]*>/gi, ' ')
  const words = text.replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S}]+/gu, ' ').trim()
  return Array.from(words).slice(0, 80).join('')
}

/** A response that is not one of this service: mostly a proxy's own. It names its status, its address and its title. */
export const notOurs = (
  { status, url }: Pick<Response, 'status' | 'url'>,
  body: string,
  head: Partial<Failure> = {},
): Failure => {
  const title = titleOf(body)
  const from = URL.canParse(url) ? ` from ${new URL(url).origin}${new URL(url).pathname}` : ''
  const advice =
    status === 413 ? ' A proxy accepts no request of this size: raise its limit for bodies to 8 MB.' : ''
  return ownFailure(
    'unexpected_answer',
    `This is not an answer of the account import service: ${status}${from}${title === '' ? '' : `, "${title}"`}. ` +
      `A proxy may have answered in its place.${advice}`,
    { status, ...head },
  )
}

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

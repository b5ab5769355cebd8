import type { ErrorCode } from '@account-import/core'
import type { BulkResultLine, ProblemBody } from '@account-import/http-contract'
import { isFailure } from '../exchange.js'
import { defaultRetrySeconds, isPassing, Patience, waited } from '../patience.js'
import { type Failure, ownFailure, serviceFailure, stopped } from '../result.js'
import { type BulkAnswer, type BulkOptions, endOf, SourceAborted } from './bulk-request.js'

/** A line of the source, and the number of its warnings. */
export type LineResult = Readonly<{
  /** The number of the item in the source, from 1, blank items included. */
  line: number
  warningsTotal: number
}>

/** The account is valid for staging. */
export type ValidLine = LineResult &
  Readonly<{
    outcome: 'done'
    status: 200
    externalAccountNumber: string
    /** The outcome that staging would have now, or the code of the refusal; absent in responses of older services. */
    staging: BulkResultLine['staging']
    /** Whether the existing account was created from the same data; absent without data to compare. */
    sameData: boolean | undefined
  }>

/** The account is staged: 201 for the first time, 200 in place of earlier data. */
export type StagedLine = LineResult &
  Readonly<{ outcome: 'done'; status: 200 | 201; externalAccountNumber: string }>

/** The account was created; in a dry run it would be created, and has no number. */
export type ProcessedLine = LineResult &
  Readonly<{
    outcome: 'done'
    status: 200 | 201
    externalAccountNumber: string
    platformAccountNumber: string | undefined
  }>

/** The service refused this line and continued; `status`, `code` and `problem` are those of the single request. */
export type FailedLine = LineResult &
  Readonly<{
    outcome: 'failed'
    status: number
    code: ErrorCode | 'unknown_code'
    problem: ProblemBody
    /** Absent where the line has none that can be read. */
    externalAccountNumber: string | undefined
  }>

/**
 * The last result of incomplete work: the failure that ended it, after retries. Lines without a result were not processed, or
 * their outcome is unknown. The same call may be repeated.
 */
export type Stopped = Readonly<{ outcome: 'stopped'; failure: Failure }>

export type BulkResult<Done> = Done | FailedLine | Stopped

/** The counts so far. `failed` counts lines; `received` is all lines with a result. */
export type BulkSummary = Readonly<{
  received: number
  created: number
  updated: number
  valid: number
  failed: number
  /** Every line has its result. */
  complete: boolean
}>

/** A stream of results, to be read once; `summary` counts the results that were read. */
export type BulkResults<Done> = AsyncIterable<BulkResult<Done>> & Readonly<{ summary: BulkSummary }>

/** Node.js's codes of a connection that was never established; browsers have none. */
const noConnection = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Codes of a failed TLS handshake: the certificate is not trusted, or the server does not use TLS. */
const noTls = /CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/

/** Node.js's code of a connection that was never established, from a cause; always undefined in browsers. */
export const noConnectionCode = (cause: unknown): string | undefined => {
  if (typeof cause !== 'object' || cause === null) return undefined
  const code = 'code' in cause ? String(cause.code) : ''
  if (noConnection.has(code) || noTls.test(code)) return code
  return 'cause' in cause ? noConnectionCode(cause.cause) : undefined
}

/** Whether a code of `noConnectionCode` is one of TLS. */
export const isTlsCode = (code: string): boolean => noTls.test(code)

/** The items of a request, in the order of their results. */
export type Work<Item, Done> = Readonly<{
  items: readonly Item[]
  /** Sends the items that have no result yet. */
  send: (items: readonly Item[]) => AsyncIterable<BulkAnswer>
  /** The item, among those sent, to which a line of the response belongs. */
  itemOf: (items: readonly Item[], line: BulkResultLine) => Item | undefined
  resultOf: (item: Item, line: BulkResultLine) => Done | FailedLine
}>

const failureOfLine = ({ status, problem }: FailedLine): Failure =>
  serviceFailure(problem, { status, requestId: problem.request_id ?? '' })

/** The items of one request with their results so far. */
class Settling<Item, Done extends Readonly<{ outcome: 'done' }>> {
  private readonly settled = new Map<Item, Done | FailedLine>()
  /** The latest results of items that will be sent again. */
  private readonly deferred = new Map<Item, Done | FailedLine>()
  /** The accounts of items that were deferred in the current request. */
  private readonly waiting = new Set<string | undefined>()
  private given = 0
  private readonly work: Work<Item, Done>

  constructor(work: Work<Item, Done>) {
    this.work = work
  }

  get left(): readonly Item[] {
    return this.unsettled(this.work.items)
  }

  unsettled(items: readonly Item[]): readonly Item[] {
    return items.filter((item) => !this.settled.has(item))
  }

  /** The failure for which sent items were deferred; `undefined` if some of them got no answer at all. */
  reason(sent: readonly Item[]): Failure | undefined {
    const results = this.unsettled(sent).map((item) => this.deferred.get(item))
    if (results.includes(undefined)) return undefined
    const lines = results.filter((each) => each?.outcome === 'failed')
    const line = lines.find(({ status }) => status === 503) ?? lines[0]
    return line === undefined ? undefined : failureOfLine(line)
  }

  /** The items of the next request. */
  begin(): readonly Item[] {
    this.waiting.clear()
    return this.left
  }

  /** Returns true if the result is final. Later items of the account of a deferred item are deferred too. */
  take(item: Item, line: BulkResultLine): boolean {
    const result = this.work.resultOf(item, line)
    const { external_account_number: account } = line
    const later =
      (result.outcome === 'failed' && isPassing(result)) ||
      (account !== undefined && this.waiting.has(account))
    if (later) this.waiting.add(account)
    const results = later ? this.deferred : this.settled
    results.set(item, result)
    return !later
  }

  /** Further results, up to the first item without a result. */
  *inOrder(): Generator<Done | FailedLine> {
    for (; this.given < this.work.items.length; this.given += 1) {
      const item = this.work.items[this.given]
      const result = item === undefined ? undefined : this.settled.get(item)
      if (result === undefined) return
      yield result
    }
  }

  /** All further results, with or without those of deferred items. */
  *rest(withDeferred: boolean): Generator<Done | FailedLine> {
    for (const item of this.work.items.slice(this.given)) {
      const result = this.settled.get(item) ?? (withDeferred ? this.deferred.get(item) : undefined)
      if (result !== undefined) yield result
    }
  }
}

const notAnswered = (): Failure =>
  ownFailure('unexpected_answer', 'The service left accounts out of its answer.', { status: 200 })

/** The results after the last retry. An unavailable service stops the work; an account that is still busy has failed. */
function* ended<Item, Done extends Readonly<{ outcome: 'done' }>>(
  settling: Settling<Item, Done>,
  why: Failure,
  wholeAnswer: boolean,
): Generator<BulkResult<Done>> {
  const goesOn = wholeAnswer && why.status !== 503 && why.code !== 'unexpected_answer'
  yield* settling.rest(goesOn)
  if (!goesOn) yield { outcome: 'stopped', failure: why }
}

/** Sends the items without a result, with retries. Results are in the order of the items. */
async function* settle<Item, Done extends Readonly<{ outcome: 'done' }>>(
  work: Work<Item, Done>,
  options: BulkOptions,
): AsyncGenerator<BulkResult<Done>> {
  const { signal, retrySeconds = defaultRetrySeconds, onRetry } = options
  const settling = new Settling(work)
  const patience = new Patience(retrySeconds)
  /** The most items of a request: half as many after each that a proxy found too large. */
  let most = work.items.length
  for (;;) {
    const sent = settling.begin().slice(0, most)
    let failure: Failure | undefined
    for await (const answer of work.send(sent)) {
      if (isFailure(answer)) failure = answer
      else {
        const item = work.itemOf(sent, answer)
        if (item !== undefined && settling.take(item, answer)) patience.progressed()
        yield* settling.inOrder()
      }
    }
    if (settling.left.length === 0) return
    const isTooLarge = failure?.code === 'unexpected_answer' && failure.status === 413 && sent.length > 1
    if (isTooLarge) most = Math.ceil(sent.length / 2)
    if (isTooLarge || (failure === undefined && settling.unsettled(sent).length === 0)) {
      if (endOf(options)?.aborted !== true) continue
      yield* ended(settling, stopped(), false)
      return
    }
    const why = failure ?? settling.reason(sent) ?? notAnswered()
    const seconds = patience.wait(why)
    if (seconds === undefined) {
      yield* ended(settling, why, failure === undefined)
      return
    }
    onRetry?.(why, seconds)
    if (!(await waited(seconds, endOf(options)))) {
      yield* ended(settling, signal?.aborted === true ? stopped() : why, false)
      return
    }
  }
}

/** Settles the requests in turn, until one stops, or their source is aborted. */
export async function* settleInTurn<Item, Done extends Readonly<{ outcome: 'done' }>>(
  requests: Iterable<Work<Item, Done>> | AsyncIterable<Work<Item, Done>>,
  options: BulkOptions,
): AsyncGenerator<BulkResult<Done>> {
  try {
    for await (const work of requests) {
      if (options.drain?.aborted === true) throw new SourceAborted()
      for await (const result of settle(work, options)) {
        yield result
        if (result.outcome === 'stopped') return
      }
    }
  } catch (cause) {
    if (!(cause instanceof SourceAborted)) throw cause
    yield { outcome: 'stopped', failure: stopped() }
  }
}

import { endpoints } from '@account-import/http-contract'
import { isFailure } from '../exchange.js'
import type { Authorized } from '../obtain-token.js'
import { defaultRetrySeconds, Patience, pause } from '../patience.js'
import type { Failure } from '../result.js'
import { answerTo, type BulkAnswer, type BulkOptions } from './bulk-request.js'
import { type BulkResult, type ProcessedLine, processedLine } from './bulk-result.js'
import { requestLimits } from './bulk-source.js'
import { isNotBegun, settle } from './settle.js'

/** Which staged accounts to create, and under which team. Without numbers: all that the supplier has staged. */
export type BulkProcessRequest = Readonly<{
  import_supplier_code: string
  operations_team_name: string
  /** Says which would be created, and creates none. */
  dry_run?: boolean
  external_account_numbers?: readonly string[]
}>

type Result = BulkResult<ProcessedLine>
type Send = (numbers: readonly string[] | undefined) => AsyncIterable<BulkAnswer>

const encoder = new TextEncoder()

/** The named accounts, each once, some at a time. `line` counts the different numbers. */
async function* named(numbers: readonly string[], send: Send, options: BulkOptions): AsyncGenerator<Result> {
  const all = [...new Set(numbers)].map((number, index) => ({ number, line: index + 1 }))
  for (let start = 0; start < all.length; start += requestLimits.lines) {
    const items = all.slice(start, start + requestLimits.lines)
    const byNumber = new Map(items.map((item) => [item.number, item]))
    const results = settle(
      {
        items,
        send: (some) => send(some.map(({ number }) => number)),
        itemOf: (_, { external_account_number: number }) => byNumber.get(number ?? ''),
        resultOf: ({ line }, answer) => processedLine(line, answer),
      },
      options,
    )
    for await (const result of results) {
      yield result
      if (result.outcome === 'stopped') return
    }
  }
}

/**
 * All of the supplier. Once the service has begun, another request would ask for failed accounts again, and not tell of those
 * that the first one created.
 */
async function* everything(send: Send, options: BulkOptions): AsyncGenerator<Result> {
  const patience = new Patience(options.retrySeconds ?? defaultRetrySeconds)
  for (;;) {
    let failure: Failure | undefined
    let answered = false
    for await (const answer of send(undefined)) {
      if (isFailure(answer)) failure = answer
      else {
        answered = true
        yield processedLine(answer.line, answer)
      }
    }
    if (failure === undefined) return
    const seconds = answered || !isNotBegun(failure) ? undefined : patience.wait(failure)
    if (seconds !== undefined) options.onRetry?.(failure, seconds)
    if (seconds === undefined || !(await pause(seconds, options.signal))) {
      yield { outcome: 'stopped', failure }
      return
    }
  }
}

/** Processes what the request names. */
export const processResults = (
  authorized: Authorized,
  baseUrl: string,
  request: BulkProcessRequest,
  options: BulkOptions,
): AsyncGenerator<Result> => {
  const { external_account_numbers: numbers, ...shared } = request
  const send: Send = (some) => {
    const body = { ...shared, ...(some === undefined ? {} : { external_account_numbers: some }) }
    return answerTo(
      authorized,
      {
        url: baseUrl + endpoints.bulkProcess.path,
        contentType: 'application/json',
        body: encoder.encode(JSON.stringify(body)),
      },
      options,
    )
  }
  return numbers === undefined ? everything(send, options) : named(numbers, send, options)
}

import { type AccountToSend, isErrorCode } from '@account-import/core'
import { mapped } from '@account-import/core/adapter-kit'
import { type BulkResultLine, endpoints } from '@account-import/http-contract'
import { type Authorized, isFailure } from '../exchange.js'
import { type CallOptions, explained, type Failure, type UntypedJson } from '../result.js'
import { defaultRetrySeconds, Patience, waited } from '../patience.js'
import {
  answerTo,
  bodyOf,
  type BulkAnswer,
  type BulkOptions,
  type BulkSource,
  endOf,
  requestLimits,
  requestsOf,
  type SentLine,
} from './bulk-request.js'
import {
  type BulkResult,
  type BulkResults,
  type BulkSummary,
  type FailedLine,
  noConnectionCode,
  type ProcessedLine,
  settleInTurn,
  type StagedLine,
  type ValidLine,
  type Work,
} from './settle.js'

/** The staged accounts to create, and their operations team. Without numbers: all staged accounts of the supplier. */
export type BulkProcessRequest = Readonly<{
  import_supplier_code: string
  operations_team_name: string
  /** Reports which accounts would be created, and creates none. */
  dry_run?: boolean
  external_account_numbers?: readonly string[]
}>

type Result = BulkResult<ProcessedLine>
type Send = (numbers: readonly string[] | undefined) => AsyncIterable<BulkAnswer>

const encoder = new TextEncoder()

type Read<Done> = (line: number, answer: BulkResultLine) => Done | FailedLine

const failedOr =
  <Done>(done: (line: number, answer: BulkResultLine) => Done): Read<Done> =>
  (line, answer) => {
    const { status, error, warnings = 0, external_account_number: externalAccountNumber } = answer
    if (error === undefined) return done(line, answer)
    const code = isErrorCode(error.code) ? error.code : 'unknown_code'
    return {
      outcome: 'failed',
      line,
      status,
      code,
      problem: error,
      externalAccountNumber,
      warningsTotal: warnings,
    }
  }

const shared = (line: number, { external_account_number = '', warnings = 0 }: BulkResultLine) =>
  ({
    outcome: 'done',
    line,
    externalAccountNumber: external_account_number,
    warningsTotal: warnings,
  }) as const

const validLine: Read<ValidLine> = failedOr((line, answer) => ({
  ...shared(line, answer),
  status: 200,
  staging: answer.staging,
  sameData: answer.same_data,
}))

const stagedLine: Read<StagedLine> = failedOr((line, answer) => ({
  ...shared(line, answer),
  status: answer.status === 201 ? 201 : 200,
}))

const processedLine: Read<ProcessedLine> = failedOr((line, answer) => ({
  ...shared(line, answer),
  status: answer.status === 201 ? 201 : 200,
  platformAccountNumber: answer.platform_account_number,
}))

/** Processes the named accounts, each once, in requests of limited size. `line` counts the distinct numbers. */
const named = (numbers: readonly string[], send: Send, options: BulkOptions): AsyncGenerator<Result> => {
  const all = [...new Set(numbers)].map((number, index) => ({ number, line: index + 1 }))
  const requests: Work<(typeof all)[number], ProcessedLine>[] = []
  for (let start = 0; start < all.length; start += requestLimits.lines) {
    const items = all.slice(start, start + requestLimits.lines)
    const byNumber = new Map(items.map((item) => [item.number, item]))
    requests.push({
      items,
      send: (some) => send(some.map(({ number }) => number)),
      itemOf: (_, { external_account_number: number }) => byNumber.get(number ?? ''),
      resultOf: ({ line }, answer) => processedLine(line, answer),
    })
  }
  return settleInTurn(requests, options)
}

/** The request was too slow, there were too many requests, or the service was not ready. */
const statuses = new Set([408, 429, 503])

/** Whether the service certainly did not begin the request with this failure. */
const isNotBegun = ({ status, cause }: Pick<Failure, 'status' | 'cause'>): boolean =>
  statuses.has(status) || noConnectionCode(cause) !== undefined

/**
 * Processes all staged accounts of the supplier. Once the service has begun, a retry would process failed accounts again, and
 * would not report the accounts that the first request created.
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
    if (seconds === undefined || !(await waited(seconds, endOf(options)))) {
      yield { outcome: 'stopped', failure }
      return
    }
  }
}

const processResults = (
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

/** Sends typed accounts, or untyped JSON. */
export type SubmitMany<Done> = {
  (source: BulkSource<AccountToSend>, options?: BulkOptions): BulkResults<Done>
  <Given extends object>(source: BulkSource<UntypedJson<Given>>, options?: BulkOptions): BulkResults<Done>
}

/** The operations team of an import, and the options of a bulk method. */
export type ImportOptions = BulkOptions & Readonly<{ operationsTeam: string }>

/** Sends typed accounts, or untyped JSON. */
export type ImportMany = {
  (source: BulkSource<AccountToSend>, options: ImportOptions): BulkResults<ProcessedLine>
  <Given extends object>(
    source: BulkSource<UntypedJson<Given>>,
    options: ImportOptions,
  ): BulkResults<ProcessedLine>
}

/** Results are in the order of the source. Nothing is sent before all earlier results are read. */
export type BulkMethods = Readonly<{
  /** Validates accounts as the service would stage them; nothing is stored. */
  bulkValidate: SubmitMany<ValidLine>
  /** Stages accounts. A repeated call replaces the staged data. */
  bulkStage: SubmitMany<StagedLine>
  /**
   * Creates accounts from their staged data: the named ones, or all of the supplier, in the order of staging. When a response is
   * lost, accounts may have been created: a retry fails for these with `account_already_imported`, and
   * `problem.platform_account_number` has their number. A request for all accounts is repeated only if the service certainly did
   * not begin it.
   */
  bulkProcess: (request: BulkProcessRequest, options?: BulkOptions) => BulkResults<ProcessedLine>
  /**
   * Validates, stages and creates accounts, each in one step where the service can. A call may be repeated: accounts that exist
   * fail with `account_already_imported`, and `problem.same_data` says whether they were created from the same data.
   */
  bulkImport: ImportMany
}>

/** The count to which a success belongs. */
type CountOf<Done> = (done: Done) => 'created' | 'updated' | 'valid'

/** Counts results while they are read. */
const countedResults = <Done extends Readonly<{ outcome: 'done' }>>(
  results: AsyncIterable<BulkResult<Done>>,
  countOf: CountOf<Done>,
  baseUrl: string,
): BulkResults<Done> => {
  const summary = { received: 0, created: 0, updated: 0, valid: 0, failed: 0, complete: false }
  const take = (result: BulkResult<Done>): void => {
    if (result.outcome === 'stopped') return
    summary.received += 1
    summary[result.outcome === 'failed' ? 'failed' : countOf(result)] += 1
  }
  async function* counted(): AsyncGenerator<BulkResult<Done>> {
    let stopped = false
    for await (const result of results) {
      take(result)
      if (result.outcome !== 'stopped') yield result
      else {
        stopped = true
        yield { ...result, failure: explained(baseUrl, result.failure) }
      }
    }
    summary.complete = !stopped
  }
  const iterator = counted()
  return {
    [Symbol.asyncIterator]: () => iterator,
    get summary(): BulkSummary {
      return { ...summary }
    },
  }
}

type Reading<Done> = Readonly<{
  path: string
  resultOf: Read<Done>
  countOf: CountOf<Done>
}>

/** The number of the first line; every request has at least one line. */
const firstOf = ([first]: readonly SentLine[]): number => first?.line ?? 1

export const makeBulkMethods = (
  authorized: Authorized,
  baseUrl: string,
  limits: CallOptions,
): BulkMethods => {
  const workOf = <Done>(
    items: readonly SentLine[],
    { path, resultOf }: Reading<Done>,
    options: BulkOptions,
  ): Work<SentLine, Done> => ({
    items,
    send: (lines) =>
      answerTo(
        authorized,
        {
          url: baseUrl + path,
          contentType: 'application/x-ndjson',
          body: bodyOf(lines),
          firstItem: firstOf(lines),
        },
        options,
      ),
    itemOf: (lines, { line }) => {
      const wanted = firstOf(lines) - 1 + line
      const next = lines[line - 1]
      return next?.line === wanted ? next : lines.find((each) => each.line === wanted)
    },
    resultOf: (item, answer) => resultOf(item.line, answer),
  })
  const method =
    <Done extends Readonly<{ outcome: 'done' }>>(reading: Reading<Done>) =>
    (source: BulkSource<object>, given: BulkOptions = {}): BulkResults<Done> => {
      const options = { ...limits, ...given }
      const requests = mapped(requestsOf(source, endOf(options)), (lines) => workOf(lines, reading, options))
      return countedResults(settleInTurn(requests, options), reading.countOf, baseUrl)
    }
  return {
    bulkValidate: method({
      path: endpoints.bulkValidate.path,
      resultOf: validLine,
      countOf: () => 'valid',
    }),
    bulkStage: method({
      path: endpoints.bulkStage.path,
      resultOf: stagedLine,
      countOf: ({ status }) => (status === 201 ? 'created' : 'updated'),
    }),
    bulkImport: (source: BulkSource<object>, { operationsTeam, ...options }: ImportOptions) =>
      method({
        path: `${endpoints.bulkImport.path}?operations_team_name=${encodeURIComponent(operationsTeam)}`,
        resultOf: processedLine,
        countOf: () => 'created',
      })(source, options),
    bulkProcess: (request, options = {}) =>
      countedResults(
        processResults(authorized, baseUrl, request, { ...limits, ...options }),
        ({ status }) => (status === 201 ? 'created' : 'valid'),
        baseUrl,
      ),
  }
}

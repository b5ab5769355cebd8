import type { AccountToSend } from '@account-import/core'
import { endpoints } from '@account-import/http-contract'
import type { Authorized } from '../obtain-token.js'
import type { CallOptions, UntypedJson } from '../options.js'
import { answerTo, type BulkOptions } from './bulk-request.js'
import {
  type BulkResult,
  type BulkResults,
  countedResults,
  type CountOf,
  type FailedLine,
  type ProcessedLine,
  type StagedLine,
  stagedLine,
  type ValidLine,
  validLine,
} from './bulk-result.js'
import { bodyOf, type BulkSource, requestsOf, type SentLine, SourceAborted } from './bulk-source.js'
import { type BulkProcessRequest, processResults } from './process-results.js'
import { aborted, settle, type Work } from './settle.js'

/** Sends accounts that the compiler knows, or JSON that it does not. */
export type SubmitMany<Done> = {
  (source: BulkSource<AccountToSend>, options?: BulkOptions): BulkResults<Done>
  <Given extends object>(source: BulkSource<UntypedJson<Given>>, options?: BulkOptions): BulkResults<Done>
}

/** Results come in the order of the source, as fast as they are read: nothing is sent before what came is read. */
export type BulkMethods = Readonly<{
  /** Validates accounts as the service would stage them; nothing is stored. */
  bulkValidate: SubmitMany<ValidLine>
  /** Stages accounts; may be repeated, the last data counts. */
  bulkStage: SubmitMany<StagedLine>
  /**
   * Creates accounts from their staged data: those named, or all of the supplier, the first staged first. When an
   * answer is lost, accounts may have been created: asked for again, they fail with `account_already_imported`, and
   * `problem.platform_account_number` says which they are. A request for all is repeated only where the service has surely not
   * begun with it.
   */
  bulkProcess: (request: BulkProcessRequest, options?: BulkOptions) => BulkResults<ProcessedLine>
}>

type Reading<Done> = Readonly<{
  path: string
  resultOf: (line: number, answer: Parameters<typeof validLine>[1]) => Done | FailedLine
  countOf: CountOf<Done>
}>

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
        { url: baseUrl + path, contentType: 'application/x-ndjson', body: bodyOf(lines) },
        options,
      ),
    itemOf: (lines, { line }) => lines[line - 1],
    resultOf: (item, answer) => resultOf(item.line, answer),
  })
  async function* resultsFor<Done extends Readonly<{ outcome: 'done' }>>(
    source: BulkSource<object>,
    reading: Reading<Done>,
    options: BulkOptions,
  ): AsyncGenerator<BulkResult<Done>> {
    try {
      for await (const lines of requestsOf(source, options.signal))
        for await (const result of settle(workOf(lines, reading, options), options)) {
          yield result
          if (result.outcome === 'stopped') return
        }
    } catch (cause) {
      if (!(cause instanceof SourceAborted)) throw cause
      yield { outcome: 'stopped', failure: aborted() }
    }
  }
  const method =
    <Done extends Readonly<{ outcome: 'done' }>>(reading: Reading<Done>) =>
    (source: BulkSource<object>, options: BulkOptions = {}): BulkResults<Done> =>
      countedResults(resultsFor(source, reading, { ...limits, ...options }), reading.countOf, baseUrl)
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
    bulkProcess: (request, options = {}) =>
      countedResults(
        processResults(authorized, baseUrl, request, { ...limits, ...options }),
        ({ status }) => (status === 201 ? 'created' : 'valid'),
        baseUrl,
      ),
  }
}

import {
  bulkResultLine,
  type BulkResultLine,
  bulkSummaryLine,
  importRunHeader,
  importRunLineHeader,
} from '@account-import/http-contract'
import { failureOf, isFailure, readWhole } from '../exchange.js'
import { LimitedRequest } from '../limited-request.js'
import type { Authorized } from '../obtain-token.js'
import type { CallOptions } from '../options.js'
import { type Failure, ownFailure } from '../result.js'

/** The work ends with a failure in its last result, which is `stopped`. */
export type BulkOptions = CallOptions &
  Readonly<{
    /** How long to try again without any line getting its result; 60 when left out, 0 for never. */
    retrySeconds?: number
    /** Called before the wait for another try. */
    onRetry?: (failure: Failure, waitSeconds: number) => void
    /**
     * The import run that the accounts belong to, of those that staging and processing know. `firstLine`: the number that the first
     * item of the source has in that of the run; 1 when left out.
     */
    importRun?: Readonly<{ id: string; firstLine?: number }>
  }>

/** One request, which can be sent again. */
type BulkRequest = Readonly<{
  url: string
  contentType: string
  body: Uint8Array<ArrayBuffer>
  /** The item of the source with which the body begins, from 1. */
  firstItem?: number
}>

/** Its answer: lines, and in the end a failure unless the answer was whole. */
export type BulkAnswer = BulkResultLine | Failure

const lineOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // As with any answer: what is not JSON is not from this service.
    return undefined
  }
}

const brokeOff = (cause: unknown): Failure =>
  ownFailure('network', 'The service did not answer, or its answer broke off.', { cause })

const cut = (cause?: unknown): Failure =>
  ownFailure('answer_cut', 'The answer was cut: it ended before its last line. The lines before hold.', {
    cause,
  })

const notOurs = (status: number): Failure =>
  ownFailure('unexpected_answer', 'This is not an answer of the account import service.', { status })

const runHeaders = ({ importRun }: BulkOptions, firstItem: number): Readonly<Record<string, string>> => {
  if (importRun === undefined) return {}
  const { id, firstLine = 1 } = importRun
  return { [importRunHeader]: id, [importRunLineHeader]: String(firstLine - 1 + firstItem) }
}

/** The lines of a stream of UTF-8, each without its line feed; a last one without line feed is cut, so it is left out. */
async function* textLines(
  stream: ReadableStream<Uint8Array> | null,
  next: <A>(chunk: Promise<A>) => Promise<A>,
): AsyncGenerator<string> {
  if (stream === null) return
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let open = ''
  try {
    for (;;) {
      const { done, value } = await next(reader.read())
      if (done) return
      const lines = (open + decoder.decode(value, { stream: true })).split('\n')
      open = lines.pop() ?? ''
      yield* lines
    }
  } finally {
    // Tells the service that nobody reads any more; after the end, or a failure, it does nothing.
    await reader.cancel().catch(() => undefined)
  }
}

/** Sends one bulk request and gives the lines of its answer while they come, as fast as they are read. */
export async function* answerTo(
  authorized: Authorized,
  { url, contentType, body, firstItem = 1 }: BulkRequest,
  options: BulkOptions,
): AsyncGenerator<BulkAnswer> {
  const limited = new LimitedRequest(options)
  let [hasBegun, isWhole] = [false, false]
  const headers = {
    Accept: 'application/x-ndjson, application/json',
    'Content-Type': contentType,
    ...runHeaders(options, firstItem),
  }
  try {
    const response = await limited.wait(
      authorized(url, { method: 'POST', headers, body, signal: limited.signal }),
    )
    if (isFailure(response) || response.status !== 200) {
      const refusal = await limited.wait(readWhole(response))
      yield isFailure(refusal) ? limited.explain(refusal) : failureOf(refusal)
      return
    }
    hasBegun = true
    for await (const text of textLines(response.body, limited.wait)) {
      const line = lineOf(text)
      // It is read to its end, for the next request to have the connection.
      if (bulkSummaryLine.is(line)) isWhole = true
      else if (bulkResultLine.is(line)) yield line
      else {
        yield notOurs(response.status)
        return
      }
    }
    if (!isWhole) yield limited.explain(cut())
  } catch (cause) {
    if (!isWhole) yield limited.explain(hasBegun ? cut(cause) : brokeOff(cause))
  } finally {
    limited.end()
  }
}

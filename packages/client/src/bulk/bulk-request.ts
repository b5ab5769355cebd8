import type { AccountToSend } from '@account-import/core'
import {
  bulkResultLine,
  type BulkResultLine,
  bulkSummaryLine,
  importRunHeader,
  importRunLineHeader,
} from '@account-import/http-contract'
import { type Authorized, failureOf, isFailure, jsonOf, readWhole } from '../exchange.js'
import { LimitedRequest, unlessAborted } from '../patience.js'
import { type CallOptions, type Failure, noAnswer, notOurs, ownFailure } from '../result.js'

/** Thrown when the caller's signal aborts the wait for a source. */
export class SourceAborted extends Error {
  constructor() {
    super('The wait for the source was ended.')
  }
}

const isPromise = <A>(step: A | PromiseLike<A>): step is PromiseLike<A> =>
  typeof step === 'object' && step !== null && 'then' in step

/** The items of a source. Throws `SourceAborted` as soon as the signal aborts, even while the source is awaited. */
async function* untilAborted<A>(
  source: Iterable<A> | AsyncIterable<A>,
  signal: AbortSignal | undefined,
): AsyncGenerator<A> {
  const iterator: Iterator<A, unknown> | AsyncIterator<A, unknown> =
    Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
  let isAtItem = true
  try {
    for (;;) {
      if (signal?.aborted === true) throw new SourceAborted()
      isAtItem = false
      const step = iterator.next()
      const { done, value } = await (signal !== undefined && isPromise(step)
        ? unlessAborted(step, signal, () => new SourceAborted())
        : step)
      if (done === true) return
      isAtItem = true
      yield value
    }
  } catch (cause) {
    // The source may wait for ever, so the result of `return` is not awaited.
    if (cause instanceof SourceAborted && !isAtItem)
      void Promise.resolve(iterator.return?.()).catch(() => undefined)
    throw cause
  } finally {
    if (isAtItem) await iterator.return?.()
  }
}

/** An account, or one line of JSON: as text, or as UTF-8. Blank lines are skipped. */
export type BulkItem<Account = AccountToSend> = Account | string | Uint8Array

/** A source of accounts. The reader of the results receives the errors that the source throws. */
export type BulkSource<Account = AccountToSend> =
  | Iterable<BulkItem<Account>>
  | AsyncIterable<BulkItem<Account>>

/** A line to be sent, without a line end. */
export type SentLine = Readonly<{ line: number; bytes: Uint8Array }>

/** The limits of one request; a longer line is sent alone. */
export const requestLimits = { lines: 1000, bytes: 5_000_000 } as const

const encoder = new TextEncoder()
const [lineFeed, carriageReturn] = [0x0a, 0x0d]
const blanks = new Set([0x20, 0x09, lineFeed, carriageReturn])

const textOf = (item: object | string): string => (typeof item === 'string' ? item : JSON.stringify(item))

/** Replaces line feeds by carriage returns: in JSON, both are white space between values, and neither is inside a string. */
const bytesOf = (item: BulkItem<object>): Uint8Array => {
  const bytes = item instanceof Uint8Array ? item : encoder.encode(textOf(item))
  return bytes.includes(lineFeed) ? bytes.map((byte) => (byte === lineFeed ? carriageReturn : byte)) : bytes
}

const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => blanks.has(byte))

/**
 * The lines of each request in turn. Reads no more of the source than the next request needs. Throws the errors of the source,
 * and `SourceAborted`.
 */
export async function* requestsOf(
  source: BulkSource<object>,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly SentLine[]> {
  let held: SentLine[] = []
  let size = 0
  let line = 0
  for await (const item of untilAborted(source, signal)) {
    line += 1
    const bytes = bytesOf(item)
    if (isBlank(bytes)) continue
    const [first] = held
    if (
      first !== undefined &&
      (line - first.line >= requestLimits.lines || size + bytes.length >= requestLimits.bytes)
    ) {
      yield held
      held = []
      size = 0
    }
    held.push({ line, bytes })
    size += bytes.length + 1
  }
  if (held.length > 0) yield held
}

/**
 * The body of a request, each line with its line feed. Missing items are blank lines, so that the service counts lines like the
 * source.
 */
export const bodyOf = (lines: readonly SentLine[]): Uint8Array<ArrayBuffer> => {
  const [first, last] = [lines[0]?.line ?? 1, lines.at(-1)?.line ?? 1]
  const body = new Uint8Array(lines.reduce((sum, { bytes }) => sum + bytes.length, last - first + 1))
  let at = 0
  let number = first
  for (const { line, bytes } of lines) {
    for (; number < line; number += 1) body[at++] = lineFeed
    body.set(bytes, at)
    at += bytes.length
    body[at++] = lineFeed
    number += 1
  }
  return body
}

/** Options of a bulk method. A failure that ends the work is its last result, which is `stopped`. */
export type BulkOptions = CallOptions &
  Readonly<{
    /** Seconds of retries without any new result; 60 when left out, 0 for no retry. */
    retrySeconds?: number
    /**
     * Once it is aborted, nothing more is sent: the request that runs is finished, and the work stops with `aborted`, or with the
     * failure for which it would be repeated.
     */
    drain?: AbortSignal
    /** Called before the wait for a retry. */
    onRetry?: (failure: Failure, waitSeconds: number) => void
    /**
     * The import run of the accounts, for staging and processing. `firstLine`: the line number that the first item has in the
     * source of the run; 1 when left out.
     */
    importRun?: Readonly<{ id: string; firstLine?: number }>
  }>

/** The signal that ends the waits between two requests. */
export const endOf = ({ signal, drain }: BulkOptions): AbortSignal | undefined =>
  signal === undefined || drain === undefined ? (signal ?? drain) : AbortSignal.any([signal, drain])

/** One request, which can be sent again. */
type BulkRequest = Readonly<{
  url: string
  contentType: string
  body: Uint8Array<ArrayBuffer>
  /** The item of the source with which the body begins, from 1. */
  firstItem?: number
}>

/** A line of the response, or at its end the failure that made it incomplete. */
export type BulkAnswer = BulkResultLine | Failure

const cut = (cause?: unknown): Failure =>
  ownFailure(
    'answer_cut',
    'The answer was cut: it ended before its last line. The lines before it are valid.',
    {
      cause,
    },
  )

const runHeaders = ({ importRun }: BulkOptions, firstItem: number): Readonly<Record<string, string>> => {
  if (importRun === undefined) return {}
  const { id, firstLine = 1 } = importRun
  return { [importRunHeader]: id, [importRunLineHeader]: String(firstLine - 1 + firstItem) }
}

/** The lines of a UTF-8 stream, without their line feeds. A last line without line feed was cut, so it is left out. */
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
    // Closes the response. After its end, or a failure, this does nothing.
    await reader.cancel().catch(() => undefined)
  }
}

/** Whether a proxy answered with a page, such as that of a login. */
const isPage = ({ headers }: Response): boolean => /\bhtml\b/i.test(headers.get('Content-Type') ?? '')

/** Sends one bulk request, and streams the lines of its response as fast as they are read. */
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
    if (isFailure(response) || response.status !== 200 || isPage(response)) {
      const refusal = await limited.wait(readWhole(response))
      yield isFailure(refusal) ? limited.explain(refusal) : failureOf(refusal)
      return
    }
    hasBegun = true
    for await (const text of textLines(response.body, limited.wait)) {
      const line = jsonOf(text)
      // The response is read to its end, so that the next request can reuse the connection.
      if (bulkSummaryLine.is(line)) isWhole = true
      else if (bulkResultLine.is(line)) yield line
      else {
        yield notOurs(response, text)
        return
      }
    }
    if (!isWhole) yield limited.explain(cut())
  } catch (cause) {
    if (!isWhole) yield limited.explain(hasBegun ? cut(cause) : noAnswer(cause))
  } finally {
    limited.end()
  }
}

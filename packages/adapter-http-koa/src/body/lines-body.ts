import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { BulkLine, LineUnreadable, PortFailure, SentPayload } from '@account-import/core'
import { mapped } from '@account-import/core/adapter-kit'
import { E, type Either } from '@account-import/core/fp'
import {
  blankLinesLimit,
  bodyLimitBytes,
  linesType,
  type NotReadable,
  type TransportRefusal,
} from '@account-import/http-contract'
import { type AppContext, whenClosed } from '../context.js'
import { longBodyBytes, type Release } from '../limits.js'
import { BrokenBody, unzippedStream } from './gzip.js'
import { isPacked, packingOf, readBefore } from './whole-body.js'

/** Requests without a time-out for the whole body, as long as bytes arrive. */
const moving = new WeakSet<IncomingMessage>()

/** Whether the request is exempt from the time-out of whole requests. */
export const isMoving = (request: IncomingMessage): boolean => moving.has(request)

const silent = (): Error => Object.assign(new Error('the body stopped coming'), { code: 'ECONNABORTED' })

/**
 * The chunks of a body, without a time-out for the whole body. The connection ends when the next chunk has been awaited for
 * `silenceMilliseconds` and no byte has arrived. Time in which no reader awaits a chunk does not count.
 */
export async function* movingBody(
  request: IncomingMessage,
  silenceMilliseconds: number,
): AsyncGenerator<Buffer> {
  moving.add(request)
  let isAwaited = true
  // A stream abandoned between two chunks may never end, so the timer ends with the connection, and keeps no process alive.
  const timer = setTimeout(() => {
    if (isAwaited) request.destroy(silent())
    else if (!request.socket.destroyed) timer.refresh()
  }, silenceMilliseconds).unref()
  try {
    // A route that reads no further may still answer; later bytes are discarded then.
    const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
    for await (const chunk of chunks) {
      isAwaited = false
      yield chunk
      isAwaited = true
      timer.refresh()
    }
  } finally {
    clearTimeout(timer)
  }
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * One line, counted from 1, without its line end; `bytes` is undefined for a line over the limit. Or `isLong`: the line is not
 * complete, and the next piece would make it longer than `long`.
 */
export type Cut =
  | Readonly<{ line: number; bytes: Buffer | undefined; isLong?: undefined }>
  | Readonly<{ line: number; isLong: true }>

/** A line that has not ended, in a buffer that doubles, so that a line in many small parts is not copied for each part. */
class Begun {
  private held = Buffer.alloc(0)
  length = 0

  /** `most`: the length that the buffer never has to exceed. */
  add(part: Buffer, most: number): void {
    const needed = this.length + part.length
    if (needed > this.held.length) {
      const wider = Buffer.allocUnsafeSlow(Math.min(most, Math.max(needed, 2 * this.held.length)))
      this.held.copy(wider, 0, 0, this.length)
      this.held = wider
    }
    part.copy(this.held, this.length)
    this.length = needed
  }

  take(): Buffer {
    const whole = this.held.subarray(0, this.length)
    this.held = Buffer.alloc(0)
    this.length = 0
    return whole
  }
}

const withoutReturn = (bytes: Buffer): Buffer =>
  bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes

/**
 * Cuts chunks into lines that end with LF or CRLF; the last line may lack the line end. Buffers at most one line within `limit`,
 * and skips the rest of a longer one. Says once for a line that it gets `long`, before it buffers more of it: so a reader that
 * waits then holds only a short piece.
 */
export async function* cutLines(
  chunks: AsyncIterable<Buffer>,
  limit: number,
  long: number,
): AsyncGenerator<Cut> {
  const begun = new Begun()
  let line = 1
  let [isSkipped, isAnnounced] = [false, false]
  // The carriage return of a CRLF does not count.
  const most = limit + 1

  /** The line that ends with these bytes. */
  const ended = (end: Buffer): Cut => {
    let whole = end
    if (begun.length > 0) {
      if (begun.length + end.length <= most) begun.add(end, most)
      else isSkipped = true
      whole = begun.take()
    }
    const bytes = withoutReturn(whole)
    const cut = { line, bytes: isSkipped || bytes.length > limit ? undefined : bytes }
    line += 1
    ;[isSkipped, isAnnounced] = [false, false]
    return cut
  }

  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      yield ended(chunk.subarray(start, end))
      start = end + 1
    }
    const rest = chunk.subarray(start)
    if (isSkipped || rest.length === 0) continue
    if (begun.length + rest.length > most) {
      isSkipped = true
      begun.take()
      continue
    }
    if (!isAnnounced && begun.length + rest.length >= long) {
      isAnnounced = true
      yield { line, isLong: true }
    }
    begun.add(rest, most)
  }
  if (begun.length > 0 || isSkipped) yield ended(Buffer.alloc(0))
}

const silenceMilliseconds = 30_000

/** Time-out for the arrival of a long line, once it has room: the time-out of all bodies. */
const longLineMilliseconds = 30_000

/** The parts of a request that the reader of a stream needs. */
export type LinesOf = Readonly<{
  /** Waits until the rate of the key allows so many more lines; absent without a rate. */
  pace: ((lines: number) => Promise<void>) | undefined
  /** Waits for room for a line of so many bytes. */
  hold: (bytes: number) => Promise<Release>
  parse: (bytes: Uint8Array) => Promise<Either<NotReadable | PortFailure, SentPayload>>
}>

const tooLarge = { _tag: 'PayloadTooLarge', limitBytes: bodyLimitBytes } as const

const isBlank = (bytes: Buffer): boolean => {
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x09) return false
  return true
}

/** The position of a fault in a line is its column alone, as the response has the number of the line. */
const withoutLine = (refusal: NotReadable | PortFailure): NotReadable | PortFailure => {
  if (refusal._tag !== 'NotJson' || refusal.at === undefined) return refusal
  const { line: _, ...at } = refusal.at
  return { _tag: 'NotJson', at }
}

const failedLine = (line: number, failure: LineUnreadable | NotReadable): BulkLine => ({
  line,
  bytes: 0,
  json: async () => E.left(failure),
})

/** The last line of a body that cannot be read on: a fault that the client can correct, before the connection ends. */
const lastLine = (cause: unknown, latest: number): BulkLine | undefined => {
  if (!(cause instanceof BrokenBody)) return undefined
  const { wrong } = cause
  switch (wrong) {
    case 'ratio':
      return failedLine(latest + 1, { ...tooLarge, wrong })
    case 'blank_lines':
      return failedLine(latest, { ...tooLarge, wrong })
    case 'gzip':
      return failedLine(latest + 1, { _tag: 'NotJson', wrong })
    case 'slow':
      return undefined
  }
}

/** Ends a stream whose long line does not arrive in time: a client that sends byte by byte would keep room from others. */
async function* inTime(
  chunks: AsyncIterable<Buffer>,
  since: () => number | undefined,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    const begun = since()
    if (begun !== undefined && performance.now() - begun > longLineMilliseconds) throw new BrokenBody('slow')
    yield chunk
  }
}

/**
 * The lines of a body, each once the rate of its key allows it. A line waits for room before it gets long, or before it is parsed,
 * and keeps it until it is done. Blank lines are counted and skipped.
 */
const linesIn = (
  ctx: AppContext,
  chunks: AsyncIterable<Buffer>,
  { pace, hold, parse }: LinesOf,
): AsyncIterable<BulkLine> => {
  const held = new Set<Release>()
  whenClosed(ctx.res, () => held.forEach((release) => release()))
  let latest = 0
  let blankLines = 0
  let long: Readonly<{ done: Release; since: number }> | undefined

  /** Waits for room, which is given back by the function that is returned, or when the connection closes. */
  const holding = async (bytes: number): Promise<Release> => {
    const release = await hold(bytes)
    held.add(release)
    // The connection may have closed meanwhile.
    if (ctx.res.destroyed) release()
    return () => {
      held.delete(release)
      release()
    }
  }
  /** Parses a line, and then no longer holds its bytes. */
  const parsing = (bytes: Buffer): BulkLine['json'] => {
    const rest = [bytes]
    return async () => {
      const json = await parse(rest.pop() ?? Buffer.alloc(0))
      return E.isLeft(json) ? E.left(withoutLine(json.left)) : json
    }
  }
  const lineOf = async (cut: Cut): Promise<BulkLine | undefined> => {
    if (cut.isLong === true) {
      long = { done: await holding(bodyLimitBytes), since: performance.now() }
      return undefined
    }
    const { line, bytes } = cut
    latest = line
    const done = long?.done
    long = undefined
    if (bytes !== undefined && isBlank(bytes)) {
      done?.()
      blankLines += 1
      if (blankLines > blankLinesLimit) throw new BrokenBody('blank_lines')
      return undefined
    }
    blankLines = 0
    await pace?.(1)
    if (bytes !== undefined)
      return { line, bytes: bytes.length, json: parsing(bytes), done: done ?? (await holding(bytes.length)) }
    done?.()
    return failedLine(line, tooLarge)
  }
  const timed = inTime(chunks, () => long?.since)
  const lines = mapped(cutLines(timed, bodyLimitBytes, longBodyBytes), lineOf)
  return withLast(lines, () => latest)
}

/** Adds the line of a fault that the client can correct, before the stream throws it. */
async function* withLast(lines: AsyncIterable<BulkLine>, latest: () => number): AsyncGenerator<BulkLine> {
  try {
    yield* lines
  } catch (cause) {
    const last = lastLine(cause, latest())
    if (last !== undefined) yield last
    throw cause
  }
}

/** Refuses a body that does not begin as gzip. Later damage cuts the response, whose first lines may be sent already. */
const unzippedLines = async (
  body: AsyncIterable<Buffer>,
): Promise<Either<TransportRefusal, AsyncIterable<Buffer>>> => {
  const chunks = unzippedStream(body)
  try {
    await chunks.next()
    return E.right(chunks)
  } catch (cause) {
    if (cause instanceof BrokenBody) return E.left({ _tag: 'NotJson', wrong: 'gzip' })
    throw cause
  }
}

/** The body of a request as lines of JSON, read on demand. */
export const linesBody = async (
  ctx: AppContext,
  of: LinesOf,
): Promise<Either<TransportRefusal, AsyncIterable<BulkLine>>> => {
  const packing = packingOf(ctx, linesType)
  if (E.isLeft(packing)) return packing
  const before = readBefore(ctx, linesType)
  if (before !== undefined && E.isLeft(before)) return before
  const body = before === undefined ? movingBody(ctx.req, silenceMilliseconds) : Readable.from([before.right])
  const isGzip = before === undefined ? packing.right === 'gzip' : isPacked(before.right)
  const chunks = isGzip ? await unzippedLines(body) : E.right(body)
  return E.isLeft(chunks) ? chunks : E.right(linesIn(ctx, chunks.right, of))
}

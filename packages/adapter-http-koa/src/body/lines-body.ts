import type { BulkLine, PortFailure, SentPayload } from '@account-import/core'
import { E, type Either } from '@account-import/core/fp'
import {
  blankLinesLimit,
  bodyLimitBytes,
  linesType,
  type NotReadable,
  type TransportRefusal,
} from '@account-import/http-contract'
import { type AppContext, whenClosed } from '../context.js'
import { longBodyBytes, type Release } from '../limits/body-places.js'
import { packingOf } from './body-bytes.js'
import { type Cut, cutLines } from './cut-lines.js'
import { BrokenBody, unzippedStream } from './gzip.js'
import { movingBody } from './moving-body.js'

const silenceMilliseconds = 30_000

/** Time-out for the arrival of a long line, once it has its place: the time-out of all bodies. */
const longLineMilliseconds = 30_000

/** The parts of a request that the reader of a stream needs. */
export type LinesOf = Readonly<{
  /** Throws when the access of the request has ended. */
  mayGoOn: () => Promise<void>
  /** Waits until the rate of the key allows so many more lines; absent without a rate. */
  pace: ((lines: number) => Promise<void>) | undefined
  /** Waits for a place for a line of so many bytes; undefined for a short one. */
  placeFor: (bytes: number) => Promise<Release> | undefined
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

/** The last line of a body that cannot be read on: a fault that the client can correct, before the connection ends. */
const lastLine = (cause: unknown, latest: number): BulkLine | undefined => {
  if (!(cause instanceof BrokenBody)) return undefined
  const { wrong } = cause
  switch (wrong) {
    case 'ratio':
      return { line: latest + 1, bytes: 0, json: E.left({ ...tooLarge, wrong }) }
    case 'blank_lines':
      return { line: latest, bytes: 0, json: E.left({ ...tooLarge, wrong }) }
    case 'gzip':
      return { line: latest + 1, bytes: 0, json: E.left({ _tag: 'NotJson', wrong } as const) }
    case 'slow':
      return undefined
  }
}

/** Ends a stream whose long line does not arrive in time: a client that sends byte by byte would keep the place from others. */
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

/** The chunks of a stream, as long as its request has access: also of one without a line end. */
async function* permitted(
  chunks: AsyncIterable<Buffer>,
  mayGoOn: () => Promise<void>,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    await mayGoOn()
    yield chunk
  }
}

/**
 * The lines of a body, each once the rate of its key allows it. A line waits for a place before it gets long, and one of a middle
 * size before it is parsed; it keeps the place until it is done. Blank lines are counted and skipped.
 */
async function* linesIn(
  ctx: AppContext,
  chunks: AsyncIterable<Buffer>,
  { mayGoOn, pace, placeFor, parse }: LinesOf,
): AsyncGenerator<BulkLine> {
  const places = new Set<Release>()
  whenClosed(ctx.res, () => places.forEach((release) => release()))
  let latest = 0
  let blankLines = 0
  let long: Readonly<{ release: Release | undefined; since: number }> | undefined

  /** Waits for a place, which is given back by `done`, or when the connection closes. */
  const placed = async (bytes: number): Promise<Release | undefined> => {
    const release = await placeFor(bytes)
    if (release === undefined) return undefined
    places.add(release)
    // The connection may have closed meanwhile.
    if (ctx.res.destroyed) release()
    return release
  }
  const lineOf = async ({ line, bytes }: Exclude<Cut, { isLong: true }>): Promise<BulkLine | undefined> => {
    latest = line
    const release = long?.release ?? (await placed(bytes?.length ?? 0))
    long = undefined
    const done = (): void => {
      if (release === undefined) return
      release()
      places.delete(release)
    }
    if (bytes !== undefined && isBlank(bytes)) {
      done()
      blankLines += 1
      if (blankLines > blankLinesLimit) throw new BrokenBody('blank_lines')
      return undefined
    }
    blankLines = 0
    if (pace !== undefined) {
      await pace(1)
      await mayGoOn()
    }
    if (bytes !== undefined) {
      const json = await parse(bytes)
      return { line, bytes: bytes.length, json: E.isLeft(json) ? E.left(withoutLine(json.left)) : json, done }
    }
    done()
    return { line, bytes: 0, json: E.left(tooLarge) }
  }
  try {
    const timed = inTime(permitted(chunks, mayGoOn), () => long?.since)
    for await (const cut of cutLines(timed, bodyLimitBytes, longBodyBytes)) {
      if (cut.isLong) long = { release: await placed(longBodyBytes), since: performance.now() }
      else {
        const line = await lineOf(cut)
        if (line !== undefined) yield line
      }
    }
  } catch (cause) {
    const last = lastLine(cause, latest)
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
  const body = movingBody(ctx.req, silenceMilliseconds)
  const chunks = packing.right === 'gzip' ? await unzippedLines(body) : E.right(body)
  return E.isLeft(chunks) ? chunks : E.right(linesIn(ctx, chunks.right, of))
}

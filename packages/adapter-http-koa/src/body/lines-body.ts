import type { IncomingMessage } from 'node:http'
import type { BulkLine, LineElsewhere, SentPayload } from '@account-import/core'
import { E, type Either } from '@account-import/core/adapter-kit'
import {
  blankLinesLimit,
  bodyLimitBytes,
  jsonOf,
  linesType,
  type NotReadable,
  type TransportRefusal,
} from '@account-import/http-contract'
import { type AppContext, goneSignal, whenClosed } from '../context.js'
import {
  type ByteBudget,
  type Owner,
  type Held,
  longBodyBytes,
  memoryOf,
  parsingSlice,
  type WorkBudgets,
} from '../limits/work-budgets.js'
import { BrokenBody, packingOf, unzippedStream } from './json-body.js'

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** One line, counted from 1, without its line end; `bytes` is undefined for a line over the limit. */
type CutLine = Readonly<{ line: number; bytes: Buffer | undefined }>

/**
 * Cuts chunks into lines that end with LF or CRLF; the last line may lack the line end. Buffers at most one line within the
 * limit, and skips the rest of a longer one. The bytes of a line are valid until the next chunk.
 */
class LineCutter {
  private line = 0
  private isTooLong = false
  private held = Buffer.alloc(0)
  private length = 0
  private readonly limit: number

  /** Bytes of the line that has not ended yet. */
  get pending(): number {
    return this.length
  }

  constructor(limit: number) {
    this.limit = limit
  }

  /** Widens the buffer to the length limit, so that the line that has not ended yet is not copied as it grows. */
  widen(): void {
    this.copyTo(Buffer.allocUnsafeSlow(this.limit + 1))
  }

  *linesOf(chunk: Buffer): Generator<CutLine> {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      yield this.ended(chunk.subarray(start, end))
      start = end + 1
    }
    this.hold(chunk.subarray(start))
  }

  /** The bytes after the last line feed. */
  *rest(): Generator<CutLine> {
    if (this.length > 0 || this.isTooLong) yield this.ended(Buffer.alloc(0))
  }

  private ended(end: Buffer): CutLine {
    let whole = end
    if (this.length > 0 || this.isTooLong) {
      this.hold(end)
      whole = this.held.subarray(0, this.length)
    }
    const bytes = whole.at(-1) === carriageReturn ? whole.subarray(0, -1) : whole
    const isTooLong = this.isTooLong || bytes.length > this.limit
    this.line += 1
    this.isTooLong = false
    this.release()
    return { line: this.line, bytes: isTooLong ? undefined : bytes }
  }

  /** Buffers a part of a line. The buffer doubles, so that a line in many small parts is not copied for each part. */
  private hold(part: Buffer): void {
    const needed = this.length + part.length
    // The carriage return of a CRLF does not count.
    if (this.isTooLong || needed > this.limit + 1) {
      this.isTooLong = true
      this.release()
      return
    }
    if (needed > this.held.length) {
      this.copyTo(Buffer.allocUnsafeSlow(Math.min(this.limit + 1, Math.max(needed, 2 * this.held.length))))
    }
    part.copy(this.held, this.length)
    this.length = needed
  }

  private copyTo(wider: Buffer<ArrayBuffer>): void {
    this.held.copy(wider, 0, 0, this.length)
    this.held = wider
  }

  private release(): void {
    this.held = Buffer.alloc(0)
    this.length = 0
  }
}

const silenceMilliseconds = 30_000

/** Time-out for the arrival of a long line, once its memory is reserved: the time-out of all bodies. */
const longLineMilliseconds = 30_000

/**
 * The organisation and key of the lines. `elsewhere`: processes long lines in another thread; absent: in this one. `mayGoOn`:
 * called for each chunk, throws when the access of the request has ended. `pace`: waits before each line.
 */
type LinesOwner = Owner &
  Readonly<{
    budgets: WorkBudgets
    elsewhere: ((bytes: Uint8Array, gone: () => AbortSignal) => LineElsewhere) | undefined
    mayGoOn(): Promise<void>
    pace: ((lines: number) => Promise<void>) | undefined
  }>

/** Reserves memory for one request, and releases the rest when its response closes. */
class Reservations {
  readonly gone: () => AbortSignal
  private readonly owner: Owner
  private readonly reserved = new Set<Held>()
  private isClosed = false

  constructor(ctx: AppContext, owner: Owner) {
    let signal: AbortSignal | undefined
    this.gone = () => (signal ??= goneSignal(ctx.res))
    this.owner = owner
    whenClosed(ctx.res, () => {
      this.isClosed = true
      for (const held of this.reserved) held.release()
    })
  }

  async reserve(budget: ByteBudget, bytes: number): Promise<Held> {
    const taken = budget.take(this.owner, bytes, undefined, this.gone)
    const held = taken instanceof Promise ? await taken : taken
    this.reserved.add(held)
    // The reader may have ended already, and would never release the memory.
    if (this.isClosed) this.release(held)
    return held
  }

  release(held: Held | undefined): void {
    if (held === undefined) return
    held.release()
    this.reserved.delete(held)
  }
}

type Reading = LinesOwner & Readonly<{ reservations: Reservations }>

const tooLarge = { _tag: 'PayloadTooLarge', limitBytes: bodyLimitBytes } as const

const isBlank = (bytes: Buffer): boolean => {
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x09) return false
  return true
}

/** Parses the JSON of a line. The position of a fault is its column alone, as the response has the number of the line. */
export const lineJson = (bytes: Uint8Array): Either<NotReadable, Required<SentPayload>> => {
  const json = jsonOf(bytes)
  if (E.isRight(json) || json.left._tag !== 'NotJson' || json.left.at === undefined) return json
  const { line: _, ...at } = json.left.at
  return E.left({ _tag: 'NotJson', at })
}

const lineOf = async (
  line: number,
  bytes: Buffer,
  reading: Held | undefined,
  of: Reading,
): Promise<BulkLine> => {
  const { budgets, elsewhere, reservations, organisation } = of
  const { length } = bytes
  const working = await reservations.reserve(budgets.working, memoryOf(length))
  const done = (): void => {
    reservations.release(reading)
    reservations.release(working)
  }
  if (length >= longBodyBytes && elsewhere !== undefined)
    return { line, bytes: length, elsewhere: elsewhere(bytes, reservations.gone), done }
  if (!parsingSlice.mayBegin()) await parsingSlice.later(organisation)
  return { line, bytes: length, json: lineJson(bytes), done }
}

class LineReader {
  latest = 0
  private blankLines = 0
  private reading: Held | undefined
  private readingSince = 0
  private readonly cutter = new LineCutter(bodyLimitBytes)
  private readonly of: Reading

  constructor(of: Reading) {
    this.of = of
  }

  /** The lines that end in a chunk; without a chunk, the bytes after the last line feed. */
  cut(chunk?: Buffer): Iterable<CutLine> {
    return chunk === undefined ? this.cutter.rest() : this.cutter.linesOf(chunk)
  }

  /** Undefined for a blank line. */
  async read({ line, bytes }: CutLine): Promise<BulkLine | undefined> {
    const { reading } = this
    this.reading = undefined
    this.latest = line
    if (bytes !== undefined && isBlank(bytes)) {
      this.of.reservations.release(reading)
      this.blankLines += 1
      if (this.blankLines > blankLinesLimit) throw new BrokenBody('blank_lines')
      return undefined
    }
    this.blankLines = 0
    if (this.of.pace !== undefined) {
      await this.of.pace(1)
      await this.of.mayGoOn()
    }
    if (bytes !== undefined) return lineOf(line, bytes, reading, this.of)
    this.of.reservations.release(reading)
    return { line, bytes: 0, json: E.left(tooLarge) }
  }

  /** Reserves memory for a line that gets long, before more of the line is read. */
  async makeRoom(): Promise<void> {
    // A client that sends byte by byte would keep the memory from others.
    if (this.reading !== undefined && performance.now() - this.readingSince > longLineMilliseconds)
      throw new BrokenBody('slow')
    if (this.cutter.pending < longBodyBytes || this.reading !== undefined) return
    this.reading = await this.of.reservations.reserve(this.of.budgets.reading, bodyLimitBytes)
    this.readingSince = performance.now()
    this.cutter.widen()
  }
}

/** The lines of a body. A last line reports a fault that its client can correct, before the connection ends. */
async function* linesIn(chunks: AsyncIterable<Buffer>, of: Reading): AsyncGenerator<BulkLine> {
  const reader = new LineReader(of)
  try {
    for await (const chunk of chunks) {
      await of.mayGoOn()
      for (const cut of reader.cut(chunk)) {
        const line = await reader.read(cut)
        if (line !== undefined) yield line
      }
      await reader.makeRoom()
    }
    for (const cut of reader.cut()) {
      const line = await reader.read(cut)
      if (line !== undefined) yield line
    }
  } catch (cause) {
    if (cause instanceof BrokenBody && (cause.wrong === 'ratio' || cause.wrong === 'blank_lines')) {
      const line = cause.wrong === 'ratio' ? reader.latest + 1 : reader.latest
      yield { line, bytes: 0, json: E.left({ ...tooLarge, wrong: cause.wrong }) }
    }
    if (cause instanceof BrokenBody && cause.wrong === 'gzip')
      yield { line: reader.latest + 1, bytes: 0, json: E.left({ _tag: 'NotJson', wrong: 'gzip' } as const) }
    throw cause
  }
}

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

/** Refuses a body that does not begin as gzip. Later damage cuts the response, whose first lines may be sent already. */
const unzipped = async (
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

/** The body of a request as lines of JSON, read on demand. Blank lines are counted and skipped. */
export const linesBody = async (
  ctx: AppContext,
  owner: LinesOwner,
): Promise<Either<TransportRefusal, AsyncIterable<BulkLine>>> => {
  const packing = packingOf(ctx, linesType)
  if (E.isLeft(packing)) return packing
  const body = movingBody(ctx.req, silenceMilliseconds)
  const chunks = packing.right === 'gzip' ? await unzipped(body) : E.right(body)
  return E.isLeft(chunks)
    ? chunks
    : E.right(linesIn(chunks.right, { ...owner, reservations: new Reservations(ctx, owner) }))
}

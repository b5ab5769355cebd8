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
  type Held,
  longBodyBytes,
  memoryOf,
  parsingSlice,
  type WorkBudgets,
} from '../limits/work-budgets.js'
import { BrokenBody, packingOf, unzippedStream } from './json-body.js'

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** One line, counted from 1, without what ends it; `undefined` in place of the bytes of a line over the limit. */
type CutLine = Readonly<{ line: number; bytes: Buffer | undefined }>

/**
 * Cuts chunks into lines that end with LF or CRLF, the last one also without. Holds at most one line within the limit;
 * what is more of a longer one is passed over. The bytes of a line hold until the next chunk.
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

  /** Gives the line that has not ended yet all the room that it may need, so that it is not copied as it grows. */
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

  /** Keeps a part of a line. The buffer doubles, so that a line in many small parts is not copied for each of them. */
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

/** So long a long line may take to arrive, once there is memory for it: the time limit of all bodies. */
const longLineMilliseconds = 30_000

/**
 * The organisation and key of the lines, and the worker for long ones; absent: here. `mayGoOn` is asked with each chunk, and throws
 * where the request may not go on; `pace` waits before each line.
 */
type LinesOwner = Readonly<{
  organisation: string
  key: string
  budgets: WorkBudgets
  elsewhere: ((bytes: Uint8Array, gone: () => AbortSignal) => LineElsewhere) | undefined
  mayGoOn(): Promise<void>
  pace: ((lines: number) => Promise<void>) | undefined
}>

/** Lends bytes to one request, and takes back what is still lent when its answer has ended. */
class Lender {
  readonly gone: () => AbortSignal
  private readonly key: string
  private readonly lent = new Set<Held>()
  private isClosed = false

  constructor(ctx: AppContext, key: string) {
    let signal: AbortSignal | undefined
    this.gone = () => (signal ??= goneSignal(ctx.res))
    this.key = key
    whenClosed(ctx.res, () => {
      this.isClosed = true
      for (const held of this.lent) held.release()
    })
  }

  async lend(budget: ByteBudget, bytes: number): Promise<Held> {
    const taken = budget.take(this.key, bytes, undefined, this.gone)
    const held = taken instanceof Promise ? await taken : taken
    this.lent.add(held)
    // Nobody would take it back: what reads on may be ended at any time.
    if (this.isClosed) this.takeBack(held)
    return held
  }

  takeBack(held: Held | undefined): void {
    if (held === undefined) return
    held.release()
    this.lent.delete(held)
  }
}

type Reading = LinesOwner & Readonly<{ lender: Lender }>

const tooLarge = { _tag: 'PayloadTooLarge', limitBytes: bodyLimitBytes } as const

const isBlank = (bytes: Buffer): boolean => {
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x09) return false
  return true
}

/** The JSON of a line. The answer has the number of the line, so a place in a line is its column alone. */
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
  const { budgets, elsewhere, lender, organisation } = of
  const { length } = bytes
  const working = await lender.lend(budgets.working, memoryOf(length))
  const done = (): void => {
    lender.takeBack(reading)
    lender.takeBack(working)
  }
  if (length >= longBodyBytes && elsewhere !== undefined)
    return { line, bytes: length, elsewhere: elsewhere(bytes, lender.gone), done }
  if (!parsingSlice.mayBegin()) await parsingSlice.later(organisation)
  return { line, bytes: length, json: lineJson(bytes), done }
}

class LineReader {
  latest = 0
  private blankLines = 0
  private lent: Held | undefined
  private lentAt = 0
  private readonly cutter = new LineCutter(bodyLimitBytes)
  private readonly of: Reading

  constructor(of: Reading) {
    this.of = of
  }

  /** The lines that have ended; in the end, without a chunk, what came after the last line feed. */
  cut(chunk?: Buffer): Iterable<CutLine> {
    return chunk === undefined ? this.cutter.rest() : this.cutter.linesOf(chunk)
  }

  /** Undefined for a blank line. */
  async read({ line, bytes }: CutLine): Promise<BulkLine | undefined> {
    const reading = this.lent
    this.lent = undefined
    this.latest = line
    if (bytes !== undefined && isBlank(bytes)) {
      this.of.lender.takeBack(reading)
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
    this.of.lender.takeBack(reading)
    return { line, bytes: 0, json: E.left(tooLarge) }
  }

  /** A line that gets long waits for its share of the memory that is there for reading, before more of it is read. */
  async makeRoom(): Promise<void> {
    // Memory that one byte after the other keeps would be nobody else's.
    if (this.lent !== undefined && performance.now() - this.lentAt > longLineMilliseconds)
      throw new BrokenBody('slow')
    if (this.cutter.pending < longBodyBytes || this.lent !== undefined) return
    this.lent = await this.of.lender.lend(this.of.budgets.reading, bodyLimitBytes)
    this.lentAt = performance.now()
    this.cutter.widen()
  }
}

/** The lines of a body. Where no more can be read for a reason that its client can mend, a line says so before the connection ends. */
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
    throw cause
  }
}

/** Bodies that may take as long as they like to arrive, as long as they move. */
const moving = new WeakSet<IncomingMessage>()

/** Whether the limit of time for a whole request does not hold for this one. */
export const isMoving = (request: IncomingMessage): boolean => moving.has(request)

const silent = (): Error => Object.assign(new Error('the body stopped coming'), { code: 'ECONNABORTED' })

/**
 * The chunks of a body. There is no limit of time for the whole of it; but when no byte has come for so long while the
 * next chunk is waited for, the connection ends. Time in which nobody asks for the next chunk does not count.
 */
export async function* movingBody(
  request: IncomingMessage,
  silenceMilliseconds: number,
): AsyncGenerator<Buffer> {
  moving.add(request)
  let isAwaited = true
  // A stream that is given up between two chunks may never say so: its timer ends with the connection, and keeps no process alive.
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

/** A body that is no gzip from its beginning is refused; damage that comes later cuts the answer, as lines may be answered by then. */
const unzipped = async (
  body: AsyncIterable<Buffer>,
): Promise<Either<TransportRefusal, AsyncIterable<Buffer>>> => {
  const chunks = unzippedStream(body)
  try {
    await chunks.next()
    return E.right(chunks)
  } catch (cause) {
    if (cause instanceof BrokenBody) return E.left({ _tag: 'NotJson' })
    throw cause
  }
}

/** The body of a request as lines of JSON, read as they are asked for; blank lines only count. */
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
    : E.right(linesIn(chunks.right, { ...owner, lender: new Lender(ctx, owner.key) }))
}

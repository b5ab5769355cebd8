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
import { parsingSlice } from '../limits/loop-slice.js'
import {
  type ByteBudget,
  type Held,
  longBodyBytes,
  memoryOf,
  type WorkBudgets,
} from '../limits/work-budgets.js'
import { packingOf } from './json-body.js'
import { type CutLine, LineCutter } from './line-cutter.js'
import { movingBody } from './moving-request.js'
import { BrokenBody, unzippedStream } from './unzipped-stream.js'

const silenceMilliseconds = 30_000

/** For so long a long line may take to come, from when there is memory for it: as long as any other body. */
const longLineMilliseconds = 30_000

/** The owner of the lines, and the thread for long ones; absent: here. */
export type LinesOwner = Readonly<{
  organisation: string
  key: string
  budgets: WorkBudgets
  elsewhere: ((bytes: Uint8Array, gone: () => AbortSignal) => LineElsewhere) | undefined
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

/** A line, and the bytes that were lent for reading it, where it is long. */
type Cut = CutLine & Readonly<{ reading: Held | undefined }>

/** Reads lines. A line that gets long waits for its share of the memory that is there for reading, before more of it is read. */
async function* cutLines(
  chunks: AsyncIterable<Buffer>,
  { budgets, lender }: Reading,
): AsyncGenerator<Iterable<Cut>> {
  const cutter = new LineCutter(bodyLimitBytes)
  let lent: Held | undefined
  let lentAt = 0
  function* withReading(lines: Iterable<CutLine>): Generator<Cut> {
    for (const { line, bytes } of lines) {
      const reading = lent
      lent = undefined
      yield { line, bytes, reading }
    }
  }
  for await (const chunk of chunks) {
    yield withReading(cutter.linesOf(chunk))
    // Memory that one byte after the other keeps would be nobody else's.
    if (lent !== undefined && performance.now() - lentAt > longLineMilliseconds) throw new BrokenBody('slow')
    if (cutter.pending < longBodyBytes || lent !== undefined) continue
    lent = await lender.lend(budgets.reading, bodyLimitBytes)
    lentAt = performance.now()
    cutter.widen()
  }
  yield withReading(cutter.rest())
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

/** The lines of a body. Where no more can be read for a reason that its client can mend, a line says so before the connection ends. */
async function* linesIn(chunks: AsyncIterable<Buffer>, of: Reading): AsyncGenerator<BulkLine> {
  let latest = 0
  let blankLines = 0
  try {
    for await (const lines of cutLines(chunks, of))
      for (const { line, bytes, reading } of lines) {
        latest = line
        if (bytes !== undefined && !isBlank(bytes)) {
          blankLines = 0
          yield await lineOf(line, bytes, reading, of)
          continue
        }
        of.lender.takeBack(reading)
        if (bytes === undefined) {
          blankLines = 0
          yield { line, bytes: 0, json: E.left(tooLarge) }
        } else if (++blankLines > blankLinesLimit) throw new BrokenBody('blank_lines')
      }
  } catch (cause) {
    if (cause instanceof BrokenBody && (cause.wrong === 'ratio' || cause.wrong === 'blank_lines')) {
      const line = cause.wrong === 'ratio' ? latest + 1 : latest
      yield { line, bytes: 0, json: E.left({ ...tooLarge, wrong: cause.wrong }) }
    }
    throw cause
  }
}

async function* following(
  first: IteratorResult<Buffer>,
  rest: AsyncGenerator<Buffer>,
): AsyncGenerator<Buffer> {
  if (first.done !== true) yield first.value
  yield* rest
}

/** A body that is no gzip from its beginning is refused; damage that comes later cuts the answer, as lines may be answered by then. */
const unzipped = async (
  body: AsyncIterable<Buffer>,
): Promise<Either<TransportRefusal, AsyncIterable<Buffer>>> => {
  const chunks = unzippedStream(body)
  try {
    return E.right(following(await chunks.next(), chunks))
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

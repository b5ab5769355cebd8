import { setImmediate } from 'node:timers/promises'
import type { BulkLine } from '@account-import/core'
import type { Either } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/adapter-kit'
import {
  bodyLimitBytes,
  jsonOf,
  linesType,
  type NotReadable,
  type TransportRefusal,
} from '@account-import/http-contract'
import type { AppContext } from '../context.js'
import { packingOf } from './content.js'
import { longBodyBytes } from './json-body.js'
import { LineCutter, type CutLine } from './line-cutter.js'
import { movingBody } from './moving-request.js'
import { isBrokenGzip, unzippedStream } from './unzipped-stream.js'

const silenceMilliseconds = 30_000

/** For so long lines may be read before other requests have their turn. */
const sliceMilliseconds = 5

const tooLong = E.left({ _tag: 'PayloadTooLarge', limitBytes: bodyLimitBytes } as const)

const blanks = new Set([0x20, 0x09])
const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => blanks.has(byte))

/** Says when other requests have to have their turn, whatever lines cost. */
class Slice {
  private since = performance.now()

  /** Whether it is over before a line of this length is read. */
  isOver(bytes: number): boolean {
    return bytes >= longBodyBytes || performance.now() - this.since >= sliceMilliseconds
  }

  async next(): Promise<void> {
    await setImmediate()
    this.since = performance.now()
  }
}

/** Of a place in a line only the column is told: the answer has the number of the line. */
const inOneLine = <A>(json: Either<NotReadable, A>): Either<NotReadable, A> => {
  if (E.isRight(json) || json.left._tag !== 'NotJson' || json.left.at === undefined) return json
  const { line: _, ...at } = json.left.at
  return E.left({ _tag: 'NotJson', at })
}

const read = ({ line, bytes }: CutLine): BulkLine =>
  bytes === undefined
    ? { line, bytes: 0, json: tooLong }
    : { line, bytes: bytes.length, json: inOneLine(jsonOf(bytes)) }

/** The lines of each chunk, and in the end what came after the last line feed. */
async function* cutLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Iterable<CutLine>> {
  const cutter = new LineCutter(bodyLimitBytes)
  for await (const chunk of chunks) yield cutter.linesOf(chunk)
  yield cutter.rest()
}

async function* linesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<BulkLine> {
  const slice = new Slice()
  for await (const lines of cutLines(chunks))
    for (const cut of lines) {
      if (slice.isOver(cut.bytes?.length ?? 0)) await slice.next()
      if (cut.bytes === undefined || !isBlank(cut.bytes)) yield read(cut)
    }
}

async function* following(
  first: IteratorResult<Buffer>,
  rest: AsyncGenerator<Buffer>,
): AsyncGenerator<Buffer> {
  if (first.done !== true) yield first.value
  yield* rest
}

/** What is no gzip from its beginning is refused; damage that comes later cuts the answer, as lines may be answered by then. */
const unzipped = async (
  body: AsyncIterable<Buffer>,
): Promise<Either<TransportRefusal, AsyncIterable<Buffer>>> => {
  const chunks = unzippedStream(body)
  try {
    return E.right(following(await chunks.next(), chunks))
  } catch (cause) {
    if (isBrokenGzip(cause)) return E.left({ _tag: 'NotJson' })
    throw cause
  }
}

/** The body of a request as lines of JSON, read as they are asked for; blank lines only count. */
export const linesBody = async (
  ctx: AppContext,
): Promise<Either<TransportRefusal, AsyncIterable<BulkLine>>> => {
  const packing = packingOf(ctx, linesType)
  if (E.isLeft(packing)) return packing
  const body = movingBody(ctx.req, silenceMilliseconds)
  const chunks = packing.right === 'gzip' ? await unzipped(body) : E.right(body)
  return E.isLeft(chunks) ? chunks : E.right(linesIn(chunks.right))
}

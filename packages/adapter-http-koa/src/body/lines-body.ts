import { setImmediate } from 'node:timers/promises'
import type { BulkLine } from '@account-import/core'
import type { Either } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/adapter-kit'
import { bodyLimitBytes, jsonOf, linesType, type TransportRefusal } from '@account-import/http-contract'
import type { AppContext } from '../context.js'
import { packingOf } from './content.js'
import { longBodyBytes } from './json-body.js'
import { LineCutter, type CutLine } from './line-cutter.js'
import { movingBody } from './moving-request.js'
import { unzippedStream } from './unzipped-stream.js'

const silenceMilliseconds = 60_000

/** For so long lines may be read before other requests have their turn. */
const sliceMilliseconds = 5

const tooLong = E.left({ _tag: 'PayloadTooLarge', limitBytes: bodyLimitBytes } as const)

const blanks = new Set([0x20, 0x09])
const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => blanks.has(byte))

/** Gives other requests their turn often enough, whatever lines cost. */
class Slices {
  private since = performance.now()

  /** Before a line of this length is read. */
  async turn(bytes: number): Promise<void> {
    if (bytes < longBodyBytes && performance.now() - this.since < sliceMilliseconds) return
    await setImmediate()
    this.since = performance.now()
  }
}

const read = ({ line, bytes }: CutLine): BulkLine =>
  bytes === undefined ? { line, bytes: 0, json: tooLong } : { line, bytes: bytes.length, json: jsonOf(bytes) }

async function* linesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<BulkLine> {
  const cutter = new LineCutter(bodyLimitBytes)
  const slices = new Slices()
  async function* readable(lines: Iterable<CutLine>): AsyncGenerator<BulkLine> {
    for (const cut of lines) {
      if (cut.bytes !== undefined && isBlank(cut.bytes)) continue
      await slices.turn(cut.bytes?.length ?? 0)
      yield read(cut)
    }
  }
  for await (const chunk of chunks) yield* readable(cutter.linesOf(chunk))
  yield* readable(cutter.rest())
}

/** The body of a request as lines of JSON, read as they are asked for; blank lines only count. */
export const linesBody = (ctx: AppContext): Either<TransportRefusal, AsyncIterable<BulkLine>> => {
  const packing = packingOf(ctx, linesType)
  if (E.isLeft(packing)) return packing
  const body = movingBody(ctx.req, silenceMilliseconds)
  return E.right(linesIn(packing.right === 'gzip' ? unzippedStream(body) : body))
}

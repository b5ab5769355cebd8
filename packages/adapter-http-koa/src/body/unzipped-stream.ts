import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** Data of accounts is packed to a tenth. Text that unpacks to more than a hundred times its length is made to do so. */
const mostTimes = 100

/** So much harms nobody, however well it was packed. */
const alwaysBytes = 262_144

/** Bytes that so many packed bytes may unpack to. */
export const mostUnpacked = (packedBytes: number): number => packedBytes * mostTimes + alwaysBytes

const chunkBytes = 65_536

/** A body of which nothing more can be read. Its connection ends as if the client had ended it. */
export class BrokenBody extends Error {
  readonly code = 'ECONNABORTED'
  /** `gzip`: the body is no gzip, or damaged; `ratio`: it unpacks to too much; `slow`: a long line took too long. */
  readonly wrong: 'gzip' | 'ratio' | 'blank_lines' | 'slow'

  constructor(wrong: BrokenBody['wrong']) {
    super(`the body cannot be read on: ${wrong}`)
    this.wrong = wrong
  }
}

const isOfZlib = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && cause.code.startsWith('Z_')

/**
 * Unpacks a body while it comes, as fast as it is read. The first chunk is empty: that it comes says that the body begins as gzip.
 * Throws `BrokenBody` after what could be unpacked.
 */
export async function* unzippedStream(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: chunkBytes })
  // The end of one of the two ends the other; reading gunzip rejects with it.
  pipeline(Readable.from(packed), gunzip, () => undefined)
  let unpacked = 0
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      unpacked += chunk.length
      if (unpacked > mostUnpacked(gunzip.bytesWritten)) throw new BrokenBody('ratio')
      if (unpacked === chunk.length) yield Buffer.alloc(0)
      yield chunk
    }
  } catch (cause) {
    throw isOfZlib(cause) ? new BrokenBody('gzip') : cause
  }
}

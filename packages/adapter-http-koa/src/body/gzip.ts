import { pipeline, Readable } from 'node:stream'
import { type CompressCallback, createGunzip, type Gunzip, gunzip } from 'node:zlib'
import { mapped } from '@account-import/core/adapter-kit'

/** Account data compresses to a tenth. A body that unpacks to more than a hundred times its length is an attack. */
const mostTimes = 100

/** Unpacked bytes that are allowed at any compression ratio. */
const alwaysBytes = 262_144

/** The largest number of bytes to which `packedBytes` may unpack. */
export const mostUnpacked = (packedBytes: number): number => packedBytes * mostTimes + alwaysBytes

const chunkBytes = 65_536

/** A body that cannot be read further. Its connection ends as after a disconnect of the client. */
export class BrokenBody extends Error {
  readonly code = 'ECONNABORTED'
  /** `gzip`: no gzip, or damaged; `ratio`: too high; `blank_lines`: too many in a row; `slow`: a long line took too long. */
  readonly wrong: 'gzip' | 'ratio' | 'blank_lines' | 'slow'

  constructor(wrong: BrokenBody['wrong']) {
    super(`the body cannot be read on: ${wrong}`)
    this.wrong = wrong
  }
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''

/**
 * Unpacks a body as a stream, as fast as it is read. The first chunk is empty, and shows that the body begins as gzip. Throws
 * `BrokenBody` after the last chunk that could be unpacked.
 */
export async function* unzippedStream(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const unpacking = createGunzip({ chunkSize: chunkBytes })
  let sentBytes = 0
  const counted = mapped(packed, (chunk) => {
    sentBytes += chunk.length
    return chunk
  })
  // The end of one stream ends the other; reading rejects with the error.
  pipeline(Readable.from(counted), unpacking, () => undefined)
  let unpacked = 0
  try {
    for await (const chunk of unpacking as AsyncIterable<Buffer>) {
      unpacked += chunk.length
      if (unpacked > mostUnpacked(unpacking.bytesWritten)) throw new BrokenBody('ratio')
      if (unpacked === chunk.length) yield Buffer.alloc(0)
      yield chunk
    }
    // Unzipping ends at a zero between two members, without an error.
    if (unpacking.bytesWritten !== sentBytes) throw new BrokenBody('gzip')
  } catch (cause) {
    throw codeOf(cause).startsWith('Z_') ? new BrokenBody('gzip') : cause
  }
}

/** Unpacks bytes as a whole, and stops as soon as there are more than `maxOutputLength`. */
export const unzipped = (
  packed: Buffer,
  maxOutputLength: number,
): Promise<Buffer | 'not_gzip' | 'too_long'> =>
  new Promise((resolve) => {
    const done = (cause: Error | null, unpacked: Readonly<{ buffer: Buffer; engine: Gunzip }>): void => {
      if (cause !== null) resolve(codeOf(cause) === 'ERR_BUFFER_TOO_LARGE' ? 'too_long' : 'not_gzip')
      else resolve(unpacked.engine.bytesWritten === packed.length ? unpacked.buffer : 'not_gzip')
    }
    gunzip(packed, { maxOutputLength, info: true }, done as unknown as CompressCallback)
  })

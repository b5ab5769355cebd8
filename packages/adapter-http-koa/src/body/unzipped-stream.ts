import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

const chunkBytes = 65_536

const brokenBodies = new WeakSet<object>()

/** Whether an error says that a body is no gzip, or damaged, and nothing else. */
export const isBrokenGzip = (cause: unknown): boolean => cause instanceof Error && brokenBodies.has(cause)

/** As nothing more can be answered to what comes, this ends the connection as if the client had. */
const broken = (): Error => {
  const error = Object.assign(new Error('the body is no gzip'), { code: 'ECONNABORTED' })
  brokenBodies.add(error)
  return error
}

const isOfZlib = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && cause.code.startsWith('Z_')

/** Unpacks a body while it comes, as fast as it is read. Throws, after what could be unpacked, where it is broken. */
export async function* unzippedStream(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: chunkBytes })
  // Whatever ends one of the two ends the other; reading gunzip rejects with it.
  pipeline(Readable.from(packed), gunzip, () => undefined)
  try {
    yield* gunzip as AsyncIterable<Buffer>
  } catch (cause) {
    throw isOfZlib(cause) ? broken() : cause
  }
}

import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Either } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/adapter-kit'
import type { TransportRefusal } from '@account-import/http-contract'
import rawBody from 'raw-body'
import type { Packing } from './content.js'

/** Gzip makes bytes that cannot be compressed a little longer; this is more than it adds to the largest body. */
const packedExtraBytes = 65_536

const unzip = promisify(gunzip)

type Read = Promise<Either<TransportRefusal, Buffer>>

const sent = async (request: IncomingMessage, limit: number, limitBytes: number): Read => {
  try {
    const length = request.headers['content-length']
    return E.right(await rawBody(request, length === undefined ? { limit } : { limit, length }))
  } catch (cause) {
    if (cause instanceof Error && 'status' in cause && cause.status === 413)
      return E.left({ _tag: 'PayloadTooLarge', limitBytes })
    throw cause
  }
}

/** Unpacks the bytes, and stops as soon as there are more than the limit. */
const unzipped = async (packed: Buffer, limitBytes: number): Read => {
  try {
    return E.right(await unzip(packed, { maxOutputLength: limitBytes }))
  } catch (cause) {
    const tooLarge = cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'
    return E.left(tooLarge ? { _tag: 'PayloadTooLarge', limitBytes } : { _tag: 'NotJson' })
  }
}

/** The body's bytes, unpacked, at most `limitBytes` of them. Rejects only when the client goes away. */
export const readBytes = async (request: IncomingMessage, packing: Packing, limitBytes: number): Read => {
  if (packing === 'plain') return sent(request, limitBytes, limitBytes)
  const packed = await sent(request, limitBytes + packedExtraBytes, limitBytes)
  return E.isLeft(packed) ? packed : unzipped(packed.right, limitBytes)
}

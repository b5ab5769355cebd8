import { FileFailure } from '@account-import/account-files'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** The chunks of a stream. Not every browser has streams that `for await` reads. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

const isGzip = async (file: Blob): Promise<boolean> => {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  return first === 0x1f && second === 0x8b
}

/**
 * A file of the visitor, whose bytes are counted and hashed while they are read. Readable once. The Web Crypto API would hash all bytes at
 * once, and a file may have a gigabyte.
 */
export class FileSource {
  /** Bytes read so far, before decompression. */
  bytes = 0
  private readonly hash = sha256.create()
  private readonly file: File

  constructor(file: File) {
    this.file = file
  }

  get size(): number {
    return this.file.size
  }

  /** All bytes, decompressed if they begin as gzip does. Rejects with `input_unreadable`. */
  async *content(): AsyncGenerator<Uint8Array> {
    let isZipped = false
    try {
      isZipped = await isGzip(this.file)
      const counted = this.file.stream().pipeThrough(
        new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
          transform: (chunk, controller) => {
            this.bytes += chunk.length
            this.hash.update(chunk)
            controller.enqueue(chunk)
          },
        }),
      )
      yield* chunksOf(isZipped ? counted.pipeThrough(new DecompressionStream('gzip')) : counted)
    } catch (cause) {
      throw unreadable(cause, isZipped)
    }
  }

  /** SHA-256 of all bytes in hexadecimal. Call it once, after the content was read. */
  sha256(): string {
    return bytesToHex(this.hash.digest())
  }
}

/** Browsers reject a file that changed or vanished with a DOMException, and broken gzip data with another error. */
const unreadable = (cause: unknown, isZipped: boolean): unknown => {
  if (isZipped && !(cause instanceof DOMException))
    return new FileFailure(
      'input_unreadable',
      'The gzip data is damaged, cut short, or has several parts. Compress the file again as one part, or unpack it.',
    )
  return cause instanceof DOMException
    ? new FileFailure(
        'input_unreadable',
        'The browser cannot read the file. It may have changed since it was chosen: choose it again.',
      )
    : cause
}

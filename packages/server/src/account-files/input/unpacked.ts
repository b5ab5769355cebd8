import { Readable, pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { FileFailure, reasonOf } from '../file-failure.js'

type Chunks = AsyncGenerator<Uint8Array>

const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b

/** At least two bytes, or all there are. */
const headOf = async (chunks: Chunks): Promise<Uint8Array> => {
  let head = new Uint8Array()
  while (head.length < 2) {
    const next = await chunks.next()
    if (next.done === true) return head
    head = Buffer.concat([head, next.value])
  }
  return head
}

async function* joined(head: Uint8Array, rest: Chunks): Chunks {
  yield head
  yield* rest
}

const damaged = (cause: unknown): FileFailure =>
  cause instanceof FileFailure
    ? cause
    : new FileFailure(
        'input_unreadable',
        `The gzip data is damaged or cut short (${reasonOf(cause)}). Pack the file again.`,
      )

/** The unpacking stream reads ahead, and chunks hold only until the next one. */
async function* copies(chunks: Chunks): Chunks {
  for await (const chunk of chunks) yield Uint8Array.from(chunk)
}

async function* gunzipped(packed: Chunks): Chunks {
  const gunzip = createGunzip({ chunkSize: 262_144 })
  // A failure on the way in destroys the unpacking stream, so reading that one rejects with it.
  pipeline(Readable.from(copies(packed)), gunzip, () => undefined)
  try {
    yield* gunzip as AsyncIterable<Uint8Array>
  } catch (cause) {
    throw damaged(cause)
  }
}

/** The bytes, unpacked if they begin as gzip does. Rejects with `input_unreadable` where gzip is damaged. */
export async function* unpacked(chunks: Chunks): Chunks {
  const head = await headOf(chunks)
  yield* isGzip(head) ? gunzipped(joined(head, chunks)) : joined(head, chunks)
}

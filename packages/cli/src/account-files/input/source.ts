import { FileFailure, formatFault, interrupted, isBlank, reasonOf } from '@account-import/account-files'
import { mapped } from '@account-import/core/adapter-kit'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { pipeline as piped } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { isFileError } from '../../private-file.js'

const chunkBytes = 262_144

/** The failure of a file that cannot be read. */
export const unreadable = (name: string, cause: unknown): FileFailure =>
  cause instanceof FileFailure
    ? cause
    : new FileFailure(
        'input_unreadable',
        isFileError(cause, 'ENOENT')
          ? `There is no file ${name}.`
          : `${name} cannot be read (${reasonOf(cause)}).`,
      )

const damaged = (reason: string): FileFailure =>
  new FileFailure(
    'input_unreadable',
    `The gzip data is damaged or cut short (${reason}). Compress the file again.`,
  )

const notGzipBehind = (): FileFailure =>
  new FileFailure(
    'input_unreadable',
    'The gzip data has bytes behind it that are no gzip data, such as zeros with more data behind them. Compress the file again.',
  )

const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b

/** At least two bytes, or all of a shorter input. */
const headOf = async (chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array> => {
  let head = new Uint8Array()
  while (head.length < 2) {
    const next = await chunks.next()
    if (next.done === true) return head
    head = Buffer.concat([head, next.value])
  }
  return head
}

/** An input that counts and hashes its bytes while they are read. */
export class Source {
  /** Bytes read so far, before decompression. */
  bytes = 0
  private readonly hash = createHash('sha256')
  private readonly name: string
  private readonly stream: Readable
  /** All bytes; undefined for a stream of unknown length. */
  readonly size: number | undefined

  constructor(name: string, stream: Readable, size?: number) {
    this.name = name
    this.stream = stream
    this.size = size
  }

  /** All bytes, decompressed if they begin as gzip does. Readable once. Rejects with `input_unreadable`. */
  async *content(): AsyncGenerator<Uint8Array> {
    const chunks = mapped(this.stream as AsyncIterable<Uint8Array>, (chunk) => {
      this.bytes += chunk.length
      this.hash.update(chunk)
      return chunk
    })
    try {
      const head = await headOf(chunks)
      if (isGzip(head)) yield* this.unzipped(head, chunks)
      else {
        yield head
        yield* chunks
      }
    } catch (cause) {
      const reason = reasonOf(cause)
      throw reason.startsWith('Z_') ? damaged(reason) : unreadable(this.name, cause)
    } finally {
      this.stream.destroy()
    }
  }

  private async *unzipped(head: Uint8Array, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const gunzip = createGunzip({ chunkSize: chunkBytes })
    gunzip.write(head)
    // A failure of the input destroys `gunzip`, so that reading rejects with the failure.
    pipeline(Readable.from(chunks), gunzip, () => undefined)
    yield* gunzip as AsyncIterable<Uint8Array>
    // Unzipping ends at a zero between two members, without an error.
    if (gunzip.bytesWritten !== this.bytes) throw notGzipBehind()
  }

  /** Ends the content with the failure. */
  stop(failure: FileFailure): void {
    this.stream.destroy(failure)
  }

  /** SHA-256 of all bytes in hexadecimal. Call it once, at the end. */
  sha256(): string {
    return this.hash.digest('hex')
  }
}

const openFile = async (path: string): Promise<Source> => {
  try {
    const found = await stat(path)
    if (found.isDirectory()) throw new FileFailure('input_unreadable', `${path} is a folder, not a file.`)
    // Opening a pipe waits for its writer. A stream opens it in the background, and can be destroyed.
    if (!found.isFile()) return new Source(path, createReadStream(path))
    const file = await open(path)
    return new Source(path, file.createReadStream({ highWaterMark: chunkBytes }), found.size)
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

/** Opens a file, or uses `input` for `-`. Rejects with `input_unreadable`. */
export const openSource = async (path: string, input: Readable): Promise<Source> =>
  path === '-' ? new Source('standard input', input) : openFile(path)

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The text of a small file, such as a list or settings, or of `input` for `-`: UTF-8, with a byte order mark or without, plain or
 * compressed with gzip. Rejects with `input_unreadable`.
 */
export const fileText = async (path: string, input: Readable): Promise<string> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of (await openSource(path, input)).content()) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const fault = formatFault(bytes)
  if (fault !== undefined) throw new FileFailure('input_unreadable', `${path}: ${fault}`)
  try {
    return utf8.decode(bytes)
  } catch {
    throw new FileFailure('input_unreadable', `${path} is not in UTF-8. Save it as UTF-8.`)
  }
}

/** Counts the accounts of a file of one account a line; undefined for an array or a compressed file. */
const accountCounter = () => {
  let [accounts, inAccount, isOfLines]: [number, boolean, boolean | undefined] = [0, false, undefined]
  return {
    push: (chunk: Buffer): void => {
      isOfLines ??= chunk.toString('latin1', 0, 1024).trimStart().startsWith('{')
      if (!isOfLines) return
      for (let start = 0; start < chunk.length;) {
        const feed = chunk.indexOf('\n', start)
        const end = feed === -1 ? chunk.length : feed
        if (!inAccount && !isBlank(chunk.subarray(start, end))) {
          accounts += 1
          inAccount = true
        }
        if (feed !== -1) inAccount = false
        start = end + 1
      }
    },
    count: () => (isOfLines ? accounts : undefined),
  }
}

/**
 * The name of a file without folders, the SHA-256 of its bytes in hexadecimal, and the number of its accounts where its bytes show
 * it; undefined for a stream, which cannot be read twice. `onReading` gets the bytes, which grow. Rejects with `input_unreadable`,
 * or as interrupted.
 */
export const identityOf = async (
  path: string,
  signal: AbortSignal,
  onReading: (reading: Readonly<{ bytes: number; size: number }>) => void,
) => {
  try {
    if (path === '-') return undefined
    const found = await stat(path)
    if (!found.isFile()) return undefined
    const [hash, stream] = [createHash('sha256'), createReadStream(path, { highWaterMark: chunkBytes })]
    onReading({
      get bytes() {
        return stream.bytesRead
      },
      size: found.size,
    })
    const counter = accountCounter()
    stream.on('data', (chunk) => counter.push(chunk as Buffer))
    await piped(stream, hash, { signal })
    const accounts = counter.count()
    return { name: basename(path), sha256: hash.digest('hex'), ...(accounts && { accounts }) }
  } catch (cause) {
    throw signal.aborted ? interrupted() : unreadable(path, cause)
  }
}

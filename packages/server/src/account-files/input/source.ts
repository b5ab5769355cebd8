import { createReadStream } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { isFileError } from '../../files/private-file.js'
import { FileFailure, reasonOf } from '../file-failure.js'

/** The checked input. `size` in bytes where it is known before the end. */
export type Source = Readonly<{
  name: string
  size: number | undefined
  /** All bytes, once. A chunk may only be used until the next one is asked for. */
  chunks(): AsyncIterable<Uint8Array>
  /** Makes the chunks end with the failure. */
  stop(failure: FileFailure): void
}>

const chunkBytes = 262_144

/** That a file cannot be read, in words. */
export const unreadable = (name: string, cause: unknown): FileFailure =>
  cause instanceof FileFailure
    ? cause
    : new FileFailure(
        'input_unreadable',
        isFileError(cause, 'ENOENT')
          ? `There is no file ${name}.`
          : `${name} cannot be read (${reasonOf(cause)}).`,
      )

const streamSource = (name: string, stream: Readable): Source => ({
  name,
  size: undefined,
  chunks: () => stream as AsyncIterable<Uint8Array>,
  stop: (failure) => stream.destroy(failure),
})

/** One buffer for all chunks: a new one for each would keep the garbage collector busy. */
const fileSource = (name: string, size: number, file: FileHandle): Source => {
  let stopped: FileFailure | undefined
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const buffer = new Uint8Array(chunkBytes)
    try {
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, chunkBytes, null)
        if (stopped !== undefined) throw stopped
        if (bytesRead === 0) return
        yield buffer.subarray(0, bytesRead)
      }
    } finally {
      await file.close()
    }
  }
  return { name, size, chunks, stop: (failure) => (stopped ??= failure) }
}

const openFile = async (path: string): Promise<Source> => {
  try {
    const found = await stat(path)
    if (found.isDirectory()) throw new FileFailure('input_unreadable', `${path} is a folder, not a file.`)
    // A pipe gives its bytes when it has them, which is what streams are made for.
    if (!found.isFile()) return streamSource(path, createReadStream(path))
    return fileSource(path, found.size, await open(path))
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

/** Opens a file, or takes `input` for `-`. Rejects with `input_unreadable`. */
export const openSource = async (path: string, input: Readable): Promise<Source> =>
  path === '-' ? streamSource('standard input', input) : openFile(path)

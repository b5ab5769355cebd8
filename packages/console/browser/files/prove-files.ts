import {
  digestBytes,
  partsInMemory,
  type NotReconciled,
  piecesOf,
  type Proof,
  type ReadableFile,
  readingSettings,
  reconciled,
} from '@account-import/account-files'
import type { Either } from '@account-import/core/fp'
import { sha256 } from '@noble/hashes/sha2.js'
import { conversion } from './check-file.js'
import { FileSource } from './file-source.js'
import { sessionClient } from './import-file.js'
import type { Order } from '../page/protocol.js'

/** The build replaces this name by the version of the package. */
declare const __VERSION__: string

/** Small, so that responses of the service are processed between two pieces. */
const pieceBytes = 65_536

const encoder = new TextEncoder()

const readable = (file: File, onProgress: (source: FileSource) => void): ReadableFile => ({
  name: file.name,
  read: async () => {
    const source = new FileSource(file)
    async function* pieces() {
      for await (const piece of piecesOf(source.content(), pieceBytes, conversion)) {
        onProgress(source)
        yield piece
      }
    }
    return { pieces: pieces(), facts: () => ({ bytes: source.bytes, sha256: source.sha256() }) }
  },
})

/** Compares files with the accounts of the service by digests. Rejects with a `FileFailure`. */
export const proveFiles = async (
  { api, files, supplier, by }: Extract<Order, { kind: 'prove' }>,
  onProgress: (part: number) => void,
): Promise<Either<NotReconciled, Proof>> => {
  const all = files.reduce((sum, { size }) => sum + size, 0)
  const begun = new Set<FileSource>()
  const readables = files.map((file) =>
    readable(file, (source) => {
      begun.add(source)
      // Differing accounts are read again, which is the second half of the way.
      onProgress([...begun].reduce((sum, { bytes }) => sum + bytes, 0) / all)
    }),
  )
  return reconciled(
    {
      client: sessionClient(api),
      files: readables,
      supplier: supplier.code,
      context: { ...supplier.context, settings: readingSettings },
      controls: {},
      by,
      version: __VERSION__,
      url: new URL('../..', `${api}/`).href,
      digestOf: (text) => sha256(encoder.encode(text)).subarray(0, digestBytes),
      parts: partsInMemory(),
    },
    new AbortController().signal,
  )
}

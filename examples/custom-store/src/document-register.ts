import { open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { portOf, type Documents } from '@account-import/core'
import { isDocumentKey } from '@account-import/core/adapter-kit'

/** Keys of documents (`<document root of the supplier>/<path>`) that the archive took in, and keys that it removed. */
type DocumentChange = Readonly<{ added?: readonly string[]; removed?: readonly string[] }>

/** The documents that the platform's archive has. */
export type DocumentRegister = Readonly<{
  documents: Documents
  /**
   * Stores the change: all of it, on the disk before the promise resolves, or nothing if a key is none that a document can have.
   * After a failed write every call fails until the register is opened again.
   */
  change(change: DocumentChange): Promise<void>
  close(): Promise<void>
}>

const apply = (stored: Set<string>, { added = [], removed = [] }: DocumentChange): void => {
  for (const key of added) stored.add(key)
  for (const key of removed) stored.delete(key)
}

/** The keys of all changes. A line without an end was cut off by a crash before its caller got an answer: it is removed. */
const restore = async (file: FileHandle): Promise<Set<string>> => {
  const bytes = await file.readFile()
  const end = bytes.lastIndexOf('\n') + 1
  await file.truncate(end)
  const stored = new Set<string>()
  for (const [index, line] of bytes.toString('utf8', 0, end).split('\n').slice(0, -1).entries()) {
    try {
      apply(stored, JSON.parse(line) as DocumentChange)
    } catch (cause) {
      throw new Error(`line ${index + 1} of the register is damaged: restore the file`, { cause })
    }
  }
  return stored
}

/** Stores what the file has, and in its folder that the file exists, also after a loss of power. */
const sync = async (path: string, file: FileHandle): Promise<void> => {
  await file.sync()
  const folder = await open(dirname(path))
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const opened = async (path: string): Promise<Readonly<{ file: FileHandle; stored: Set<string> }>> => {
  const file = await open(path, 'a+')
  try {
    const stored = await restore(file)
    await sync(path, file)
    return { file, stored }
  } catch (cause) {
    await file.close()
    throw cause
  }
}

/** The register in a file of JSON lines, one for each change. Only one process may open the file at one time. */
export const openDocumentRegister = async (path: string): Promise<DocumentRegister> => {
  const { file, stored } = await opened(path)
  let fault: Error | undefined
  let last: Promise<void> = Promise.resolve()

  /** Runs the work when all work before it has ended, whether it succeeded or not. */
  const inOrder = (work: () => Promise<void>): Promise<void> => (last = last.then(work, work))

  const write = async (change: DocumentChange): Promise<void> => {
    if (fault !== undefined) throw fault
    try {
      await file.appendFile(`${JSON.stringify(change)}\n`)
      await file.datasync()
    } catch (cause) {
      // The line may be in the file, or a part of it: opening the register again shows which.
      fault = new Error('the register could not be written: open it again', { cause })
      throw fault
    }
    apply(stored, change)
  }

  const ready = async (): Promise<void> => {
    if (fault !== undefined) throw fault
  }
  return {
    documents: portOf(
      'documents',
      {
        existing: async (keys) => {
          await ready()
          return new Set(keys.filter((key) => stored.has(key)))
        },
        ready,
      },
      () => 'unavailable',
    ),
    change: async (change) => {
      if (change.added?.every(isDocumentKey) === false) throw new TypeError('no document can have such a key')
      await inOrder(() => write(change))
    },
    close: () =>
      inOrder(async () => {
        fault ??= new Error('the register is closed')
        await file.close()
      }),
  }
}

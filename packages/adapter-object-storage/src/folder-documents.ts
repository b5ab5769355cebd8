import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Documents } from '@account-import/core'
import { isDocumentKey } from '@account-import/core/adapter-kit'
import { documentsPort, storageCalls } from './storage-call.js'

/**
 * Documents that are plain files below a folder, each key a relative path. A symbolic link counts as its target, if that is a
 * file inside the folder; nothing outside is read. The folder must exist at each call: while it does not (a volume that is not
 * mounted), the failure is `unavailable`. Keys are as exact as the names of the file system.
 */
export const folderDocuments = (
  folder: string,
  {
    parallel = 16,
    callTimeoutMilliseconds = 30_000,
  }: Readonly<{
    /** Most file checks at one time, over all calls, 1 or more; 16 when absent. */
    parallel?: number
    /** The time limit of a call, as on a network drive that stalls; 30,000 when absent. */
    callTimeoutMilliseconds?: number
  }> = {},
): Documents => {
  const { call, inTurn, filter } = storageCalls(parallel, callTimeoutMilliseconds)
  return documentsPort({
    existing: (keys, organisation) =>
      call(async (signal) => {
        const root = await inTurn(organisation, signal, () => rootOf(folder))
        const possible = [...new Set(keys)].filter(isDocumentKey)
        const isThere = (key: string) => isFileInside(root, key)
        return new Set(await filter(possible, organisation, isThere, signal))
      }),
    ready: () =>
      call(async () => {
        await rootOf(folder)
      }),
  })
}

/** The real path of the folder. */
const rootOf = async (folder: string): Promise<string> => {
  const root = await realpath(folder)
  if (!(await stat(root)).isDirectory()) throw new TypeError('the document folder is not a folder')
  return root
}

const isFileInside = async (root: string, key: string): Promise<boolean> => {
  try {
    const found = await realpath(join(root, ...key.split('/')))
    const inside = root.endsWith(sep) ? root : root + sep
    return found.startsWith(inside) && (await stat(found)).isFile()
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && absent.has(thrown.code)) return false
    throw thrown
  }
}

/** No file has that name: it is missing, below a file, too long for the file system, or a broken link. */
const absent: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'])

import { FileFailure, type Parts, reasonOf } from '@account-import/account-files'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const pieceLength = 65_536

const onDisk = <A>(work: () => A): A => {
  try {
    return work()
  } catch (cause) {
    const detail = `The folder for temporary files (${tmpdir()}) cannot be used (${reasonOf(cause)}).`
    throw new FileFailure('output_not_writable', detail)
  }
}

/**
 * Parts in files of a folder for temporary files, which `remove` removes. Memory does not grow with what is added. Throws a
 * `FileFailure` where the folder cannot be used.
 */
export const partsOnDisk = (): Parts & Readonly<{ remove(): void }> => {
  const folder = onDisk(() => mkdtempSync(join(tmpdir(), 'account-import-')))
  const pending: string[] = []
  const fileOf = (part: number): string => join(folder, String(part))
  const write = (part: number): void => {
    onDisk(() => appendFileSync(fileOf(part), pending[part] ?? ''))
    pending[part] = ''
  }
  return {
    add: (part, text) => {
      pending[part] = (pending[part] ?? '') + text
      if (pending[part].length >= pieceLength) write(part)
    },
    read: (part) =>
      (existsSync(fileOf(part)) ? readFileSync(fileOf(part), 'utf8') : '') + (pending[part] ?? ''),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

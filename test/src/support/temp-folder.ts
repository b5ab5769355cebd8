import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'

/** A folder of the test's own, removed when the test has ended. */
export const tempFolder = async (t: ExecutionContext): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'account-import-test-'))
  t.teardown(() => rm(path, { recursive: true, force: true }))
  return path
}

/** The same, and its files by their names. */
export type TempFiles = Readonly<{
  folder: string
  path(name: string): string
  /** Writes a file; its path. */
  put(name: string, content: Uint8Array | string): Promise<string>
  bytes(name: string): Promise<Buffer>
  text(name: string): Promise<string>
  names(): Promise<readonly string[]>
}>

export const tempFiles = async (t: ExecutionContext): Promise<TempFiles> => {
  const folder = await tempFolder(t)
  const path = (name: string): string => join(folder, name)
  return {
    folder,
    path,
    put: async (name, content) => {
      await writeFile(path(name), content)
      return path(name)
    },
    bytes: (name) => readFile(path(name)),
    text: (name) => readFile(path(name), 'utf8'),
    names: async () => (await readdir(folder)).sort(),
  }
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isFileError } from '../files/is-file-error.js'
import { writePrivateFile } from '../files/write-private-file.js'

const pathIn = (dataDir: string): string => join(dataDir, 'demo-api-key')

/** The key that an earlier run kept, so that a restart can print it again. */
export const readDemoKey = async (dataDir: string): Promise<string | undefined> => {
  try {
    return (await readFile(pathIn(dataDir), 'utf8')).trim()
  } catch (cause) {
    if (isFileError(cause, 'ENOENT')) return undefined
    throw cause
  }
}

export const writeDemoKey = (dataDir: string, apiKey: string): Promise<void> =>
  writePrivateFile(pathIn(dataDir), `${apiKey}\n`)

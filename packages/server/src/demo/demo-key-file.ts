import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isFileError } from '../files/is-file-error.js'
import { writePrivateFile } from '../files/write-private-file.js'

/** Where the key lies. */
export const demoKeyFile = (dataDir: string): string => join(dataDir, 'demo-api-key')

/** The key that an earlier run kept, so that a restart makes no other one. */
export const readDemoKey = async (dataDir: string): Promise<string | undefined> => {
  try {
    return (await readFile(demoKeyFile(dataDir), 'utf8')).trim()
  } catch (cause) {
    if (isFileError(cause, 'ENOENT')) return undefined
    throw cause
  }
}

export const writeDemoKey = (dataDir: string, apiKey: string): Promise<void> =>
  writePrivateFile(demoKeyFile(dataDir), `${apiKey}\n`)

import { randomBytes } from 'node:crypto'
import { link, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isFileError } from '../files/is-file-error.js'
import { writePrivateFile } from '../files/write-private-file.js'

/**
 * A secret that is kept in a file of the data folder, made there on the first run: 32 random bytes as base64, readable by its
 * owner only. Two processes that start at the same time agree on one: the file appears whole or not at all, and the first
 * one stays. Rejects when the folder cannot be used.
 */
export const storedSecret = async (dataDir: string, fileName: string): Promise<string> => {
  const path = join(dataDir, fileName)
  return (await read(path)) ?? make(path)
}

const read = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((cause: unknown) => {
    if (isFileError(cause, 'ENOENT')) return undefined
    throw cause
  })

const make = async (path: string): Promise<string> => {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  await writePrivateFile(draft, `${randomBytes(32).toString('base64')}\n`)
  try {
    await link(draft, path)
  } catch (cause) {
    if (!isFileError(cause, 'EEXIST')) throw cause
  } finally {
    await rm(draft, { force: true })
  }
  return readFile(path, 'utf8')
}

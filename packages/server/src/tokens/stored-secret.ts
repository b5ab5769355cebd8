import { randomBytes } from 'node:crypto'
import { link, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSigningKey, type SigningKey } from '@account-import/adapter-access-tokens'
import { isFileError, writePrivateFile } from '../files/private-file.js'

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

const fileName = 'token-signing-key'

/**
 * The signing key kept in the data folder, made there on the first run (`storedSecret`).
 *
 * Rejects when the folder cannot be used or the file holds no key.
 */
export const storedSigningKey = async (dataDir: string): Promise<SigningKey> => {
  const key = parseSigningKey(await storedSecret(dataDir, fileName))
  if (key === undefined)
    throw new Error(`${join(dataDir, fileName)} holds no signing key; remove it to have a new one made`)
  return key
}

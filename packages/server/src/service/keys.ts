import { randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSigningKey, type SigningKey } from '@account-import/adapter-access-tokens'
import { isFileError } from '@account-import/cli/kit'
import { variables } from '../config/variables.js'
import type { ServerConfig } from '../config/read-config.js'
import { StartError } from '../start-error.js'
import { faultOf } from './data-folder.js'

/**
 * A secret in a file of the data folder, created on the first run: 32 random bytes as base64, readable by its owner only. Two
 * processes that start at the same time use the same secret: a hard link creates the complete file, and fails for the second
 * process. Rejects when the folder cannot be used.
 */
const storedSecret = async (dataDir: string, fileName: string): Promise<string> => {
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
  try {
    const secret = `${randomBytes(32).toString('base64')}\n`
    await writeFile(draft, secret, { flag: 'wx', mode: 0o600, flush: true })
    await link(draft, path)
  } catch (cause) {
    if (!isFileError(cause, 'EEXIST')) throw cause
  } finally {
    await rm(draft, { force: true })
  }
  return readFile(path, 'utf8')
}

const signingKeyFile = 'token-signing-key'

/**
 * The signing key of the data folder, created on the first run (`storedSecret`).
 *
 * Rejects when the folder cannot be used or the file contains no key.
 */
export const storedSigningKey = async (dataDir: string): Promise<SigningKey> => {
  const key = parseSigningKey(await storedSecret(dataDir, signingKeyFile))
  if (key === undefined)
    throw new Error(
      `${join(dataDir, signingKeyFile)} contains no signing key; remove the file to have a new key made`,
    )
  return key
}

const auditKeyFile = 'audit-key'

const notUsable = (dataDir: string, cause: unknown): StartError =>
  new StartError(
    'audit_key_not_usable',
    `The key of the audit log in ${dataDir} ${faultOf(cause)}. Check the folder and its file ${auditKeyFile}, or set AUDIT_KEY.`,
    cause,
  )

/**
 * The secrets that seal audit events: the configured ones, or on the embedded default those of a file in the data folder, in the
 * same form. None for a database server without `AUDIT_KEY`: then the hashes use no secret; nor, with `onlyReads`, where the folder
 * has no such file, which is made otherwise.
 */
export const auditKeysFor = async (
  { auditKeys, database, dataDir }: ServerConfig,
  onlyReads = false,
): Promise<readonly string[]> => {
  if (auditKeys.length > 0 || database.kind === 'server' || database.url === 'sqlite::memory:')
    return auditKeys
  const found = onlyReads ? read(join(dataDir, auditKeyFile)) : storedSecret(dataDir, auditKeyFile)
  const stored = await found.catch((cause: unknown) => {
    throw notUsable(dataDir, cause)
  })
  if (stored === undefined) return []
  const keys = variables.auditKeys.codec.decode(stored)
  if (keys._tag === 'Left') throw notUsable(dataDir, new Error('it is no key'))
  return keys.right
}

/** The configured signing key, or on the embedded default the key of the data folder. */
export const signingKeyFor = async ({ signingKey, database, dataDir }: ServerConfig): Promise<SigningKey> => {
  if (signingKey !== undefined) return signingKey
  if (database.kind === 'server')
    throw new StartError('configuration_not_valid', 'TOKEN_SIGNING_KEY is required with a database server.')
  try {
    return await storedSigningKey(dataDir)
  } catch (cause) {
    throw new StartError(
      'signing_key_not_usable',
      `The token signing key in ${dataDir} ${faultOf(cause)}. Check the folder, or set TOKEN_SIGNING_KEY.`,
      cause,
    )
  }
}

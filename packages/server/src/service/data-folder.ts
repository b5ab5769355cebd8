import { access, chmod, constants, lstat, mkdir, readdir } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { isFileError, typed } from '@account-import/cli/kit'
import type { ServerConfig } from '../config/read-config.js'
import { StartError } from '../start-error.js'

/** The names of the files that the service, its demo and its commands create in the data folder. */
const ours =
  /^(?:account-import\.sqlite(?:-wal|-shm|-journal)?|token-signing-key.*|audit-key.*|demo-.*|documents)$/

const openToOthers = 0o077

/** The permission bits of a file or folder. */
const modeOf = async (path: string): Promise<number> => (await lstat(path)).mode & 0o777

const closeFile = async (path: string): Promise<void> => {
  try {
    const found = await lstat(path)
    if (found.isFile() && (found.mode & openToOthers) !== 0) await chmod(path, 0o600)
  } catch (cause) {
    // Another process has removed the file meanwhile, such as a WAL file of SQLite.
    if (!isFileError(cause, 'ENOENT')) throw cause
  }
}

/** The fault, with the message of the system, which contains the path and the errno. */
export const faultOf = (cause: unknown): string =>
  `cannot be used by user ${userInfo().uid}: ${cause instanceof Error ? cause.message : 'it failed'}`

const notUsable = ({ dataDir }: ServerConfig, cause: unknown): StartError =>
  new StartError(
    'data_folder_not_usable',
    `The folder ${dataDir} ${faultOf(cause)}. Check DATA_DIR, and whose it is.`,
    cause,
  )

const openFolder = (folder: string): StartError =>
  new StartError(
    'data_folder_not_usable',
    `The folder ${folder} is open to other users of this machine, and contains other files. It is for personal` +
      ` data and keys: name a folder of its own in DATA_DIR, or close this one: chmod 700 ${folder}`,
  )

/** Closes a folder to other users. Refuses an open folder with other files: other users may need them. */
const closeFolder = async (folder: string): Promise<void> => {
  const names = await readdir(folder)
  if (((await modeOf(folder)) & openToOthers) !== 0) {
    if (!names.every((name) => ours.test(name))) throw openFolder(folder)
    await chmod(folder, 0o700)
  }
  for (const name of names) if (ours.test(name)) await closeFile(join(folder, name))
}

const exists = async (path: string): Promise<boolean> => {
  try {
    await lstat(path)
    return true
  } catch (cause) {
    if (!isFileError(cause, 'ENOENT')) throw cause
    return false
  }
}

/** The database file of the embedded default; undefined without one. */
const fileOf = ({ database: { kind, url } }: ServerConfig): string | undefined =>
  kind === 'embedded' && url !== 'sqlite::memory:' ? url.slice('sqlite:'.length) : undefined

const noData = ({ dataDir }: ServerConfig, file: string): StartError => {
  const [missing, named] =
    dirname(resolve(file)) === dataDir
      ? [`no data in the folder ${dataDir}`, `the folder that has it in DATA_DIR`]
      : [`no database ${file}`, 'the file that has it in DATABASE_URL']
  return new StartError(
    'no_data',
    `There is ${missing}. Name ${named}. To begin there: ${typed('organisation create CODE')}`,
  )
}

/**
 * Requires existing data, so that a command in a wrong folder fails and creates no empty database there. Closes a data folder to
 * other users, as `ensureDataFolder` does. Rejects with `StartError`, also where there is no data.
 */
export const requireData = async (config: ServerConfig): Promise<void> => {
  const file = fileOf(config)
  if (file === undefined) return
  try {
    if (!(await exists(file))) throw noData(config, file)
    if (await exists(config.dataDir)) await closeFolder(config.dataDir)
  } catch (cause) {
    throw cause instanceof StartError ? cause : notUsable(config, cause)
  }
}

/** Checks the access, as SQLite reports neither path nor cause. Does not open the file: closing it would end its locks. */
const ensureFile = async (file: string): Promise<void> => {
  try {
    const isThere = await exists(file)
    await access(dirname(file), constants.W_OK | constants.X_OK)
    if (isThere) await access(file, constants.R_OK | constants.W_OK)
  } catch (cause) {
    const detail = `The database file ${file} ${faultOf(cause)}. Check DATABASE_URL or DATA_DIR, and whose it is.`
    throw new StartError('database_unavailable', detail, cause)
  }
}

/**
 * Creates the data folder of the embedded default, for its owner only, as it contains personal data and keys, and in it the
 * folder for documents, unless another place is configured. Closes existing files to other users. Refuses an open folder with
 * other files. Rejects with `StartError`.
 */
export const ensureDataFolder = async (config: ServerConfig): Promise<void> => {
  const { database, dataDir, documentStorage } = config
  if (database.kind !== 'embedded') return
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await closeFolder(dataDir)
    await access(dataDir, constants.W_OK | constants.X_OK)
    const documents = join(dataDir, 'documents')
    if (documentStorage.kind === 'folder' && documentStorage.path === documents)
      await mkdir(documents, { recursive: true, mode: 0o700 })
    const file = fileOf(config)
    if (file !== undefined) await ensureFile(file)
  } catch (cause) {
    throw cause instanceof StartError ? cause : notUsable(config, cause)
  }
}

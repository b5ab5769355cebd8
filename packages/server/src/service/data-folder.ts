import { mkdir } from 'node:fs/promises'
import type { ServerConfig } from '../config/server-config.js'
import { StartError } from './start-error.js'

/** Makes the data folder of the embedded default, open to its owner only: it holds personal data and keys. */
export const ensureDataFolder = async ({ database, dataDir }: ServerConfig): Promise<void> => {
  if (database.kind !== 'embedded') return
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new StartError(
      'data_folder_not_usable',
      `The folder ${dataDir} cannot be made. Check DATA_DIR.`,
      cause,
    )
  }
}

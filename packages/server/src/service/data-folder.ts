import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerConfig } from '../config/server-config.js'
import { StartError } from '../start-error.js'

/**
 * Makes the data folder of the embedded default, open to its owner only: it holds personal data and keys; and in it
 * the folder for documents, where they have not been given another place.
 */
export const ensureDataFolder = async ({
  database,
  dataDir,
  documentStorage,
}: ServerConfig): Promise<void> => {
  if (database.kind !== 'embedded') return
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    const documents = join(dataDir, 'documents')
    if (documentStorage.kind === 'folder' && documentStorage.path === documents)
      await mkdir(documents, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new StartError(
      'data_folder_not_usable',
      `The folder ${dataDir} cannot be made. Check DATA_DIR.`,
      cause,
    )
  }
}

import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { initialise, makeServerFolder, mariaDbPrograms } from './mariadb-process.js'
import { runCommand } from './run-command.js'

/** Names the data of a new server that a run of the tests made once; every server begins with a copy. Unset, each makes its own. */
const variable = 'TEST_MARIADB_DATA'

/** Makes what the variable names, at a path that does not exist yet on the file system of temporary folders; nothing without MariaDB. */
export const makeMariaDbTemplate = async (path: string): Promise<void> => {
  const programs = mariaDbPrograms()
  if (programs === undefined) return
  const folder = makeServerFolder()
  try {
    await initialise(programs.install, folder)
    renameSync(join(folder, 'data'), path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Gives the folder of a server the data of a new one, in `data`. */
export const giveNewData = async (install: string, folder: string): Promise<void> => {
  const template = process.env[variable]
  if (template === undefined || !existsSync(template)) return initialise(install, folder)
  await runCommand('cp', ['-a', template, join(folder, 'data')])
}

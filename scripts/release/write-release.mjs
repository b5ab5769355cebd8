import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pack } from '../published/pack.mjs'
import { serverArchive } from './server-archive.mjs'

const isOurs = (name) => /^account-import-.*gz$/.test(name)

/**
 * Writes a tarball of each package, an archive of the built server for machines like this one, and their SHA256SUMS. Returns the
 * result of `pack`, and the sums.
 */
export const writeRelease = (folder) => {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) if (isOurs(name)) rmSync(join(folder, name))
  const packed = pack(folder)
  serverArchive(folder)
  const sums = readdirSync(folder)
    .filter(isOurs)
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    )
    .join('')
  writeFileSync(join(folder, 'SHA256SUMS'), sums)
  return { packed, sums }
}

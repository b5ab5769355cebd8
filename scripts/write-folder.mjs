import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'

/** The files that differ from `wanted`, by path, and the files to remove. */
const compared = (folder, wanted) => {
  mkdirSync(folder, { recursive: true })
  const there = readdirSync(folder, { recursive: true })
    .map((path) => path.replaceAll(sep, '/'))
    .filter((path) => statSync(join(folder, path)).isFile())
  const isThere = new Set(there)
  const isAsWanted = ([path, content]) =>
    isThere.has(path) && Buffer.from(content).equals(readFileSync(join(folder, path)))
  return {
    changed: [...wanted].filter((file) => !isAsWanted(file)),
    surplus: there.filter((path) => !wanted.has(path)),
  }
}

/**
 * Writes a folder. `wanted`: the content of each file by its path, with `/` between folders. Unchanged files are not written, as
 * a server may be reading them.
 */
export const writeFolder = (folder, wanted) => {
  const { changed, surplus } = compared(folder, wanted)
  for (const [path, content] of changed) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  for (const path of surplus) rmSync(join(folder, path))
}

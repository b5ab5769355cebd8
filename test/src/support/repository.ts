import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository, as an absolute path with a slash at the end. */
export const root = fileURLToPath(new URL('../../../', import.meta.url))

const isBuilt = new Set(['node_modules', 'dist', '.git', 'data'])

/** Every file below a folder, by its path from the root of the repository, or another; nothing installed or built. */
export const filesBelow = (folder: string, top: string = root): readonly string[] =>
  readdirSync(join(top, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return isBuilt.has(entry.name) ? [] : filesBelow(path, top)
    return entry.isFile() ? [relative('', path)] : []
  })

export const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')

// Removes the compiled files of deleted sources: the compiler leaves them, and they would be packed with the other files.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join, sep } from 'node:path'

const output = /\.(?:d\.ts|js)(?:\.map)?$/

const foldersIn = (parent) => readdirSync(parent).map((name) => join(parent, name))

/** Scripts for browsers have a folder beside `src`, which is compiled into a folder of its name. */
const sourceOf = (folder, path) =>
  join(folder, path.startsWith(`browser${sep}`) ? '' : 'src', path.replace(output, '.ts'))

/** The folders of all packages, examples, tests and the bench, with `src` compiled into `dist`. */
export const removeStaleOutputs = () => {
  for (const folder of [...foldersIn('packages'), ...foldersIn('examples'), 'test', 'bench']) {
    const [source, compiled] = [join(folder, 'src'), join(folder, 'dist')]
    if (!existsSync(source) || !existsSync(compiled)) continue
    for (const path of readdirSync(compiled, { recursive: true, encoding: 'utf8' }))
      if (output.test(path) && !existsSync(sourceOf(folder, path))) rmSync(join(compiled, path))
  }
}

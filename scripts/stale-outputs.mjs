// Removes the compiled files of deleted sources: the compiler leaves them, and they would be packed with the other files.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const output = /\.(?:d\.ts|js)(?:\.map)?$/

const foldersIn = (parent) => readdirSync(parent).map((name) => join(parent, name))

/** The folders of all packages, examples, tests and the bench, with `src` compiled into `dist`. */
export const removeStaleOutputs = () => {
  for (const folder of [...foldersIn('packages'), ...foldersIn('examples'), 'test', 'bench']) {
    const [source, compiled] = [join(folder, 'src'), join(folder, 'dist')]
    if (!existsSync(source) || !existsSync(compiled)) continue
    for (const path of readdirSync(compiled, { recursive: true, encoding: 'utf8' }))
      if (output.test(path) && !existsSync(join(source, path.replace(output, '.ts'))))
        rmSync(join(compiled, path))
  }
}

import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'oxc-parser'
import { filesBelow } from '../support/repository.js'

/** A file that imports another one, by their paths from a root. */
export type Import = Readonly<{ from: string; to: string }>

/** What a file names in `import`, `export … from` and `import()`; type imports are among them. */
const namesIn = (path: string): readonly string[] => {
  const text = readFileSync(path, 'utf8')
  const { module, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0]?.message}`)
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => (moduleRequest === null ? [] : [moduleRequest.value])),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) =>
      text.slice(moduleRequest.start + 1, moduleRequest.end - 1),
    ),
  ]
}

/** Every import by a relative path in the sources below these folders. The linter refuses `import('…').X` as a type. */
export const importsBelow = (root: string, folders: readonly string[]): readonly Import[] =>
  folders
    .flatMap((folder) => filesBelow(folder, root))
    .filter((path) => /\.(ts|mts|mjs)$/.test(path))
    .flatMap((from) =>
      namesIn(join(root, from))
        .filter((name) => name.startsWith('.'))
        .map((name) => ({ from, to: normalize(join(dirname(from), name)).replace(/\.js$/, '.ts') })),
    )

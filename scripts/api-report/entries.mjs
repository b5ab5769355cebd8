import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../../packages', import.meta.url))

/** The programs export parts: the command line those that the server has too, the server those for modules and tests. */
const programs = ['cli', 'server']

/** The packages that other programs build on have reports; a change of the others is seen in their source. */
const reported = ['core', 'client']

/** The entries for the project's own tests and benches, without any promise of stability. */
const testsOnly = './testing'

const entriesOf = (folder) => {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return Object.entries(exports)
    .filter(([path]) => path !== testsOnly)
    .map(([path, { types }]) => ({
      folder,
      name: path === '.' ? 'index' : path.slice('./'.length),
      types: join(folder, types),
    }))
}

/** The public entries: the folder of the package, the name, the compiled types, and whether it has a report. */
export const publicEntries = () =>
  readdirSync(packages)
    .filter((name) => !programs.includes(name))
    .flatMap((name) =>
      entriesOf(join(packages, name)).map((entry) => ({ ...entry, hasReport: reported.includes(name) })),
    )

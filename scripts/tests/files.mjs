// The test files of the project, and how AVA names them before their tests' titles.
import { readdirSync } from 'node:fs'

const root = 'test/src/'

/** From the root of the repository. */
export const testFiles = () =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => root + file.replaceAll('\\', '/'))

/** `test/src/faults/wire/cuts.mariadb.test.ts` is `faults › wire › cuts.mariadb`. */
export const prefixOf = (file) =>
  file
    .slice(root.length)
    .replace(/\.test\.ts$/, '')
    .replaceAll('/', ' › ')

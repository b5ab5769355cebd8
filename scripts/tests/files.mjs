// The test files of the project, and how AVA names them before their tests' titles.
import { readdirSync } from 'node:fs'

const root = 'test/src/'

const allFiles = () =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => root + file.replaceAll('\\', '/'))

/**
 * What kills servers, cuts connections, waits for time limits or sends thousands of requests has this in its name, and a run of its
 * own: `npm test` is for while one works.
 */
const long = /\.long\.(?:\w+\.)?test\.ts$/

/** Those that take long, or those that do not; from the root of the repository. */
export const testFiles = (areLong) => allFiles().filter((file) => long.test(file) === areLong)

/** `test/src/faults/wire/cuts.long.mariadb.test.ts` is `faults › wire › cuts.long.mariadb`. */
export const prefixOf = (file) =>
  file
    .slice(root.length)
    .replace(/\.test\.ts$/, '')
    .replaceAll('/', ' › ')

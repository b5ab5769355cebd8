// The tests of what the core decides, all of them in memory: coverage and mutants are measured with these.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The folders of the core that decide, and that no server is needed to test. */
export const decidingFolders = ['domain', 'rules', 'use-cases']

/** The folders of their tests. */
export const coreTestFolders = ['rules', 'validation', 'transactions', 'use-cases']
const beside = ['emails/deliver', 'emails/recipients']

/** They search at random and for long, or start a process: what they reach must not count for what others leave out. */
const searches = /properties|read\.test/

const testsOf = (folder) =>
  readdirSync(join('test/src', folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !searches.test(file))
    .map((file) => `test/src/${folder}/${file}`)
    .sort()

/** Their files, in TypeScript, from the root of the repository. */
export const inMemoryTests = () => [
  ...coreTestFolders.flatMap(testsOf),
  ...beside.map((name) => `test/src/${name}.test.ts`),
]

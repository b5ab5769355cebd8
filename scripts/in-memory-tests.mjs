// The in-memory tests of the deciding folders of the core, with which coverage and mutants are measured.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The folders of the core that contain decisions; their tests need no server. */
export const decidingFolders = [
  'access',
  'adding',
  'checking',
  'domain',
  'importing',
  'lists',
  'operating',
  'reporting',
  'rules',
  'service',
]

/** The folders of their tests. */
export const coreTestFolders = ['rules', 'validation', 'transactions', 'use-cases']
const beside = ['emails/deliver', 'emails/recipients', 'faults/scenarios/failing-calls']

/** Tests that search at random and for long, or start a process: their coverage must not hide gaps of the other tests. */
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

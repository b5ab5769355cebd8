// npm run test:mutation: changes the deciding folders of the core in one place at a time (a mutant), with Stryker, and lists the mutants
// that no in-memory test notices. AVA runs the tests for each mutant until the first one fails, which takes some seconds.
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { machineText, markdownTable, saveTable } from '../test/dist/faults/report/figures.js'
import { decidingFolders } from './tests/files.mjs'

/** The lowest percentage of noticed mutants with which a folder passes. */
const least = 90

const { values } = parseArgs({
  options: {
    // One source, such as packages/core/src/rules/notes.ts, or some of its lines, PATH:10-20.
    file: { type: 'string' },
    // A percentage of the mutants, the same mutants each time.
    sample: { type: 'string', default: '100' },
    // Writes the scores into docs/reference/fault-report.md.
    save: { type: 'boolean', default: false },
    workers: { type: 'string', default: '1' },
  },
})
const { file, save } = values
// For the process that chooses them, and for AVA.
Object.assign(process.env, {
  MUTANTS_SAMPLE: String(Number(values.sample) / 100),
  TEST_SERVERS: 'none',
  TEST_FILES: 'reports/mutants/',
})

/** Mutants of rules run only the tests of rules, as all others run all rules many times. */
const testsOf = (name) =>
  `reports/mutants/${name === 'rules' ? '{rules,validation,transactions}{,/**/*}' : '**/*'}.test.js`

const mutants = (name) =>
  new Stryker({
    mutate: [file ?? `packages/core/src/${name}/**/*.ts`],
    testRunner: 'command',
    commandRunner: {
      command: `node ../../node_modules/ava/entrypoints/cli.mjs --fail-fast "${testsOf(name)}"`,
    },
    plugins: ['./scripts/mutation/sample.mjs'],
    checkers: ['sample'],
    buildCommand: 'node scripts/mutation/sandbox.mjs',
    symlinkNodeModules: false,
    disableTypeChecks: false,
    // Stryker would read it with the API of TypeScript, which TypeScript 7 does not have.
    tsconfigFile: 'none.json',
    ignorePatterns: ['/bench', '/data', '/.ci'],
    // A busy machine must not count as a mutant that does not end.
    timeoutFactor: 4,
    concurrency: Number(values.workers),
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: false },
    thresholds: { break: null },
    warnings: { slow: false },
  }).runMutationTest()

const rows = []
for (const name of decidingFolders.filter((each) => file?.includes(`/core/src/${each}/`) ?? true)) {
  const all = await mutants(name)
  // Mutants outside the sample count as if they did not compile.
  const tried = all.filter(({ status }) => status !== 'Ignored' && status !== 'CompileError')
  const count = (...statuses) => tried.filter(({ status }) => statuses.includes(status)).length
  const [noticed, missed] = [count('Killed', 'Timeout'), count('Survived')]
  const score = (100 * noticed) / tried.length
  rows.push([name, ...[all.length, tried.length, noticed, missed].map(String), score.toFixed(1)])
  if (noticed + missed < tried.length || score < least) process.exitCode = 1
}
const table = markdownTable(
  [['folder', 'mutants', 'tried', 'noticed', 'not noticed', 'score, %'], ...rows],
  1,
)
console.log(`\n${table}`)
const part =
  values.sample === '100' ? '' : `, a random ${values.sample} % of the mutants, each chosen by its digest`
if (save && file === undefined)
  saveTable('mutants', `${machineText('in memory')}${part}.\n\n${table}`, 'fault-report')

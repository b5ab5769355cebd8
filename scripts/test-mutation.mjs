// npm run test:mutation: runs every mutant of Stryker in the deciding folders of the core, one at a time, and counts the mutants
// that no in-memory test detects. --folder NAME: one folder; --save: writes the fault report.
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { decidingFolders } from './in-memory-tests.mjs'
import { machineText, markdownTable, saveTable } from '../test/dist/faults/report/figures.js'

/** The lowest percentage of detected mutants with which a folder passes. */
const least = 90

const usage = `npm run test:mutation -- [options]
  --folder NAME  ${decidingFolders.join(', ')}; all of them without it
  --file PATH    one source, such as packages/core/src/rules/notes.ts, or some of its lines, PATH:10-20
  --sample N     percentage of the mutants to run, the same mutants each time (100)
  --save         writes the scores into docs/reference/fault-report.md
  --workers N    processes at one time (1)`

const refuse = (text) => {
  console.error(text)
  process.exit(2)
}

const readOptions = () => {
  try {
    return parseArgs({
      options: {
        folder: { type: 'string' },
        file: { type: 'string' },
        sample: { type: 'string', default: '100' },
        save: { type: 'boolean', default: false },
        workers: { type: 'string', default: '1' },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (cause) {
    return refuse(`${cause.message}\n\n${usage}`)
  }
}

const { file, folder, help, sample, save, workers } = readOptions()
if (help) {
  console.log(usage)
  process.exit()
}
if (folder !== undefined && !decidingFolders.includes(folder)) refuse(usage)
if (save && (file ?? folder) !== undefined) refuse('--save is for all folders together')
const folders = folder === undefined ? decidingFolders : [folder]

const percent = Number(sample)
if (!(percent > 0 && percent <= 100)) refuse(usage)
// For the process that chooses them.
process.env.MUTANTS_SAMPLE = String(percent / 100)

const sourcesOf = (name) => `packages/core/src/${name}/**/*.ts`

const results = await new Stryker({
  mutate: file === undefined ? folders.map(sourcesOf) : [file],
  testRunner: 'in-memory',
  plugins: ['./scripts/mutation/runner.mjs', './scripts/mutation/sample.mjs'],
  checkers: percent < 100 ? ['sample'] : [],
  coverageAnalysis: 'perTest',
  buildCommand: 'node scripts/mutation/sandbox.mjs',
  symlinkNodeModules: false,
  disableTypeChecks: false,
  // Stryker would read it with the API of TypeScript, which TypeScript 7 does not have.
  tsconfigFile: 'none.json',
  ignorePatterns: ['/bench', '/data', '/.ci'],
  // Mutants of constants: each would need a process of its own, which takes ten times as long.
  ignoreStatic: true,
  // A busy machine must not count as a mutant that does not end.
  timeoutFactor: 4,
  concurrency: Number(workers),
  reporters: ['clear-text', 'progress-append-only', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: false },
  thresholds: { break: null },
  warnings: { slow: false },
}).runMutationTest()

const countsOf = (name) => {
  const all = results.filter(({ fileName }) => fileName.includes(`/core/src/${name}/`))
  // Mutants outside the sample count as if they did not compile.
  const tried = all.filter(({ status }) => status !== 'Ignored' && status !== 'CompileError')
  const count = (...statuses) => tried.filter(({ status }) => statuses.includes(status)).length
  const noticed = count('Killed', 'Timeout')
  const missed = count('Survived', 'NoCoverage')
  return {
    name,
    all: all.length,
    tried: tried.length,
    noticed,
    missed,
    score: (100 * noticed) / tried.length,
  }
}

const counts = folders.map(countsOf).filter(({ tried }) => tried > 0)
const table = markdownTable(
  [
    ['folder', 'mutants', 'tried', 'noticed', 'not noticed', 'score, %'],
    ...counts.map(({ name, all, tried, noticed, missed, score }) => [
      name,
      ...[all, tried, noticed, missed].map(String),
      score.toFixed(1),
    ]),
  ],
  1,
)
console.log(`\n${table}`)
const part = percent < 100 ? `, a random ${percent} % of the mutants, each chosen by its digest` : ''
if (save) saveTable('mutants', `${machineText('in memory')}${part}.\n\n${table}`, 'fault-report')
for (const { name, tried, noticed, missed, score } of counts) {
  if (noticed + missed < tried)
    console.error(`${name}: ${tried - noticed - missed} mutants could not be tried`)
  if (score < least) console.error(`${name}: fewer than ${least} % of the mutants are noticed`)
  if (noticed + missed < tried || score < least) process.exitCode = 1
}

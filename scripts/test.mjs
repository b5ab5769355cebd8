// npm test: runs AVA, and after a whole run compares the codes that tests have seen with the catalogue. With
// arguments, which are AVA's, only some tests run, and there is nothing to compare.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ava = 'node_modules/ava/entrypoints/cli.mjs'
const someTests = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'emitted-codes-'))

const run = () => {
  const { status } = spawnSync(process.execPath, [ava, ...someTests], {
    stdio: 'inherit',
    env: { ...process.env, EMITTED_CODES_DIR: folder },
  })
  return status ?? 1
}

const compare = async () => {
  const { emissionFaults } = await import('../test/dist/codes/compare-emitted.js')
  const faults = emissionFaults(folder)
  const title = 'every code of the catalogue is emitted by a test, and no other'
  if (faults.length === 0) console.log(`  ✔ codes › ${title}\n`)
  else console.error(`  ✘ [fail]: codes › ${title}\n\n${faults.map((fault) => `    ${fault}\n`).join('')}`)
  return faults.length === 0 ? 0 : 1
}

try {
  const status = run()
  process.exitCode = status === 0 && someTests.length === 0 ? await compare() : status
} finally {
  rmSync(folder, { recursive: true })
}

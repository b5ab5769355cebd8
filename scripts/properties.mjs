// node scripts/properties.mjs [--times 20] [--seed N], after a build: runs the properties and simulations of the tests so many times as
// often as npm test, with a new seed, which is printed.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { testFiles } from './tests/files.mjs'

const { times, seed } = parseArgs({
  options: {
    times: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
}).values
const files = [...testFiles('quick'), ...testFiles('long')].filter((file) =>
  readFileSync(file, 'utf8').includes('support/properties.js'),
)
console.log(`seed ${seed}, ${times} times`)
const { status } = spawnSync(
  process.execPath,
  ['node_modules/ava/entrypoints/cli.mjs', '--timeout=12h', ...files],
  { stdio: 'inherit', env: { ...process.env, PROPERTY_SEED: seed, PROPERTY_TIMES: times } },
)
process.exitCode = status ?? 1

// node scripts/properties.mjs, after a build: runs the properties of the tests more often than npm test, with a new seed.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { testFiles } from './tests/files.mjs'

const usage = `node scripts/properties.mjs [options]
Runs the properties and simulations of the tests with a seed of their own, which is printed.
  --times N  multiple of the runs of npm test, 1 to 10000 (20)
  --seed N   a whole number (a new one each time)`

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    help: { type: 'boolean', default: false },
  },
})
const [times, seed] = [Number(values.times), Number(values.seed)]

if (values.help) console.log(usage)
else if (!Number.isInteger(times) || times < 1 || times > 10_000 || !Number.isInteger(seed)) {
  console.error(usage)
  process.exitCode = 2
} else {
  const files = [...testFiles('quick'), ...testFiles('long')].filter((file) =>
    readFileSync(file, 'utf8').includes('support/properties.js'),
  )
  console.log(`seed ${seed}, ${times} times`)
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/ava/entrypoints/cli.mjs', '--timeout=12h', ...files],
    {
      stdio: 'inherit',
      env: { ...process.env, PROPERTY_SEED: String(seed), PROPERTY_TIMES: String(times) },
    },
  )
  process.exitCode = status ?? 1
}

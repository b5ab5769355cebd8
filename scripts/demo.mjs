// Beside a running `npm start`: imports a thousand generated accounts, some of them invalid, and shows the outcome.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { filesIn, generate, steps, typed } from './demo/steps.mjs'

const usage = `npm run demo -- [options]
  --url URL      address of \`npm start\` (http://127.0.0.1:PORT, or 8080 without PORT)
  --data FOLDER  its data folder (DATA_DIR, or data)`

const refuse = (text) => {
  console.error(text)
  process.exit(2)
}

const readOptions = () => {
  const { DATA_DIR: data = 'data', PORT: port = '8080' } = process.env
  try {
    return parseArgs({
      options: {
        url: { type: 'string', default: `http://127.0.0.1:${port}` },
        data: { type: 'string', default: data },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (cause) {
    return refuse(`${cause.message}\n\n${usage}`)
  }
}

/** Runs a program of this repository on this terminal; returns its exit code. */
const run = (main, args) => spawnSync(process.execPath, [main, ...args], { stdio: 'inherit' }).status ?? 1

const { url, data, help } = readOptions()
const { key } = filesIn(data)
if (help) {
  console.log(usage)
  process.exit()
}
if (!existsSync(key)) refuse(`There is no ${key}. Run npm start in another terminal first, then this again.`)

process.exitCode = run('examples/generate-accounts/dist/main.js', generate(data))
for (const args of process.exitCode === 0 ? steps(url, data) : []) {
  console.log(`\n${typed(args)}`)
  const code = run('packages/server/bin/account-import.js', args)
  // 1: some accounts are invalid, as intended.
  if (code > 1) process.exit(code)
}

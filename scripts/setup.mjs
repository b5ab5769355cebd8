// Builds a fresh clone: installs the locked dependencies once, compiles, writes the pages of /docs/, and bundles the server.
// Imports only modules of Node.js, because no package is installed when it runs.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { removeStaleOutputs } from './stale-outputs.mjs'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node 20.19 or later is needed; this is ${process.versions.node}`)
  process.exit(1)
}

const run = (command, args) => {
  const { status } = spawnSync(command, args, {
    stdio: ['inherit', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}

const stamp = 'node_modules/.setup-stamp'
const wanted = createHash('sha256')
  .update(readFileSync('package-lock.json'))
  .update(process.version)
  .digest('hex')
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  writeFileSync(stamp, wanted)
}
removeStaleOutputs()
run(process.execPath, ['node_modules/typescript/bin/tsc', '-b', 'packages/core'])
run(process.execPath, ['scripts/describe-types.mjs'])
run(process.execPath, ['node_modules/typescript/bin/tsc', '-b'])
run(process.execPath, ['scripts/build-docs.mjs'])
run(process.execPath, ['scripts/bundle-server.mjs'])

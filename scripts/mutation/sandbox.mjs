// Makes the copy in which mutants are tried, which is the working folder, ready: the core with all its mutants is
// compiled, tests there find it, and AVA is what stands in for it. All else is found in the folders above.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../../../..')
const modules = join(root, 'node_modules')

// Links to `packages/…`, which lead to those of the copy from here.
cpSync(join(modules, '@account-import'), 'node_modules/@account-import', {
  recursive: true,
  verbatimSymlinks: true,
})
mkdirSync('node_modules/ava')
writeFileSync('node_modules/ava/package.json', '{ "type": "module", "exports": "./index.js" }')
symlinkSync('../../scripts/mutation/ava.mjs', 'node_modules/ava/index.js')

// Mutants need not have the right types.
const asIs = ['--noCheck', '--composite', 'false', '--declaration', 'false', '--declarationMap', 'false']
const { status } = spawnSync(
  process.execPath,
  [join(modules, 'typescript/bin/tsc'), '-p', 'packages/core', ...asIs, '--tsBuildInfoFile', 'null'],
  { stdio: 'inherit' },
)
process.exitCode = status ?? 1

// Prepares the copy of the repository for mutation tests, which is the working folder: compiles the core with all its mutants,
// links the tests to it, and replaces AVA. Other packages are resolved from the folders above.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../../../..')
const modules = join(root, 'node_modules')

// Links to `packages/…`, which resolve to the packages of the copy.
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

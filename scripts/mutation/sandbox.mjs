// Prepares the copy of the repository for mutation tests, which is the working folder: compiles the core with all its mutants, and
// bundles the tests with it. Other packages are resolved from the folders above.
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { bundleTests } from '../tests/bundles.mjs'
import { groupOf, inMemoryTests } from '../tests/files.mjs'

const root = '../..'

// Links to `packages/…`, which resolve to the packages of the copy, and packages that are not at the root.
for (const path of ['node_modules/@account-import', 'examples/generate-accounts/node_modules'])
  cpSync(`${root}/${path}`, path, { recursive: true, verbatimSymlinks: true })

// Mutants need not have the right types.
const asIs = ['--noCheck', '--composite', 'false', '--declaration', 'false', '--declarationMap', 'false']
const { status } = spawnSync(
  process.execPath,
  [`${root}/node_modules/typescript/bin/tsc`, '-p', 'packages/core', ...asIs, '--tsBuildInfoFile', 'null'],
  { stdio: 'inherit' },
)
await bundleTests(inMemoryTests(), 'reports/mutants', { groupOf })
process.exitCode = status ?? 1

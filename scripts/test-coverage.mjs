// node scripts/test-coverage.mjs, after a build: lists the branches of the deciding folders of the core that the in-memory tests
// never take. Fails for such a branch, and for a file with code that the tests never load. .ci/run has npm test do the same.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allBranchesTaken } from './coverage/untaken-branches.mjs'
import { inMemoryTests } from './in-memory-tests.mjs'

const ava = 'node_modules/ava/entrypoints/cli.mjs'

const runTests = (temporary) => {
  const { status } = spawnSync(process.execPath, [ava, ...inMemoryTests()], {
    stdio: 'inherit',
    env: { ...process.env, NODE_V8_COVERAGE: temporary },
  })
  return status ?? 1
}

const temporary = mkdtempSync(join(tmpdir(), 'account-import-coverage-'))
try {
  process.exitCode = runTests(temporary)
  if (process.exitCode === 0 && !(await allBranchesTaken(temporary))) process.exitCode = 1
} finally {
  rmSync(temporary, { recursive: true })
}

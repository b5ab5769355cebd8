import { mkdtempSync, mkdirSync } from 'node:fs'; import { tmpdir } from 'node:os'; import { join, basename } from 'node:path'
import { inMemoryTests } from './in-memory-tests.mjs'; import { runAva } from './tests/ava-run.mjs'; import { groupOf } from './tests/files.mjs'; import { bundleTests } from './tests/bundles.mjs'
process.env.TEST_SERVERS = 'none'
const folder = mkdtempSync(join(tmpdir(), 'cov-')); const coverage = join(folder, 'coverage'); const programs = join('reports', basename(folder)); mkdirSync(join(folder, 'codes'))
const files = inMemoryTests(); const bundled = await bundleTests(files, programs, { groupOf, isOutside: (id) => id.startsWith('@account-import/core') })
const r = await runAva([...bundled.keys()], files, { EMITTED_CODES_DIR: join(folder, 'codes'), NODE_V8_COVERAGE: coverage, TEST_FILES: `${programs}/` }, bundled)
console.log('passed', r.passed.length, 'not', r.notPassed, [...r.failedFiles]); for (const l of r.ending) console.log(l)
const { allBranchesTaken } = await import('./coverage/untaken-branches.mjs'); console.log(await allBranchesTaken(coverage))

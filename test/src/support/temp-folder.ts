import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'

/** A folder of the test's own, removed when the test has ended. */
export const tempFolder = async (t: ExecutionContext): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'account-import-test-'))
  t.teardown(() => rm(path, { recursive: true, force: true }))
  return path
}

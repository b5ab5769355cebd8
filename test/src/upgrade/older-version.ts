import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '../servers/run-command.js'
import { root } from '../support/repository.js'

/** Runs the work with the program of a commit, built in a folder of its own, which is gone afterwards. */
export const withVersion = async <A>(commit: string, work: (program: string) => Promise<A>): Promise<A> => {
  const folder = await mkdtemp(join(tmpdir(), 'account-import-version-'))
  const source = join(folder, 'source')
  try {
    await runCommand('git', ['-C', root, 'worktree', 'add', '--quiet', '--detach', source, commit])
    await runCommand('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: source })
    await runCommand(process.execPath, ['node_modules/typescript/bin/tsc', '-b'], { cwd: source })
    return await work(join(source, 'packages/server/dist/main.js'))
  } finally {
    await rm(folder, { recursive: true, force: true })
    await runCommand('git', ['-C', root, 'worktree', 'prune'])
  }
}

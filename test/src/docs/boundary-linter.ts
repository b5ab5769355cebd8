import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ExecutionContext } from 'ava'
import type { Snippet } from './boundary-snippets.js'
import { root } from '../support/repository.js'

const boundaryRules = ['eslint(no-restricted-imports)', 'eslint(no-restricted-globals)']

type Report = Readonly<{ diagnostics: readonly Readonly<{ filename: string; code: string }>[] }>

/** Runs the linter of the repository in a folder; answers its exit code and which files cross a boundary. */
export const lint = (folder: string): Readonly<{ status: number | null; crossing: ReadonlySet<string> }> => {
  const linter = join(root, 'node_modules/oxlint/bin/oxlint')
  const { status, stdout } = spawnSync(process.execPath, [linter, '--format=json'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const { diagnostics } = JSON.parse(stdout) as Report
  const crossing = diagnostics.filter(({ code }) => boundaryRules.includes(code))
  return { status, crossing: new Set(crossing.map(({ filename }) => filename)) }
}

/** A tree with nothing but the rules of the repository and the snippets, each a file of its own. */
export const treeOf = (t: ExecutionContext, snippets: readonly Snippet[]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'boundaries-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  copyFileSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
  for (const { file, code } of snippets) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), `${code}\n`)
  }
  return folder
}

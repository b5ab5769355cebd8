import { spawn } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ExecutionContext } from 'ava'
import { cliInProcess } from '../../support/cli-in-process.js'
import type { CliEnvironment, CliOutcome } from '../../support/cli-process.js'
import { tempFolder } from '../../support/temp-folder.js'

const bin = fileURLToPath(new URL('main.js', import.meta.resolve('@account-import/server')))

type Count = Readonly<{ code: string; accounts: number; entries: number }>

/** The document that `validate --json` prints. */
export type Summary = Readonly<{
  file: Readonly<{ bytes: number; sha256: string }>
  lines: number
  accounts: number
  valid: number
  valid_with_warnings: number
  failed: number
  errors: readonly Count[]
  warnings: readonly Count[]
  repeated_accounts: Readonly<{
    lines: number
    complete: boolean
    examples: readonly Readonly<{ line: number; first_line: number }>[]
  }>
  written: Readonly<Record<'report' | 'failures' | 'errors', string | null>>
  run: Readonly<Record<string, unknown>>
}>

/** A folder with a file of accounts, and the command run on it. */
export type Offline = Readonly<{
  folder: string
  path(name: string): string
  put(name: string, content: Uint8Array | string): Promise<string>
  bytes(name: string): Promise<Buffer>
  text(name: string): Promise<string>
  names(): Promise<readonly string[]>
  /** In the process of the test. */
  validate(args: readonly string[], environment?: CliEnvironment): Promise<CliOutcome>
  /** With `--json`; fails the test unless the exit code is the one named. */
  summary(args: readonly string[], code: number): Promise<Summary>
}>

export const offline = async (t: ExecutionContext): Promise<Offline> => {
  const folder = await tempFolder(t)
  const path = (name: string): string => join(folder, name)
  const validate = (args: readonly string[], environment: CliEnvironment = {}): Promise<CliOutcome> =>
    cliInProcess(['validate', ...args], environment)
  return {
    folder,
    path,
    put: async (name, content) => {
      await writeFile(path(name), content)
      return path(name)
    },
    bytes: (name) => readFile(path(name)),
    text: (name) => readFile(path(name), 'utf8'),
    names: async () => (await readdir(folder)).sort(),
    validate,
    summary: async (args, code) => {
      const outcome = await validate([...args, '--json'])
      t.is(outcome.code, code, outcome.stderr)
      t.regex(outcome.stdout, /^[^\n]+\n$/)
      return JSON.parse(outcome.stdout) as Summary
    },
  }
}

/** A process of its own, whose standard input the test writes. */
export const validateProcess = (
  args: readonly string[],
  environment: CliEnvironment = {},
): Readonly<{ child: ReturnType<typeof spawn>; outcome: Promise<CliOutcome> }> => {
  const child = spawn(process.execPath, [bin, 'validate', ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  // The command may end before it has read everything.
  child.stdin.on('error', () => undefined)
  const outcome = new Promise<CliOutcome>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
  return { child, outcome }
}

import type { ExecutionContext } from 'ava'
import { cliInProcess, type CliSurroundings } from '../../support/cli-in-process.js'
import type { CliEnvironment, CliOutcome } from '../../support/cli-process.js'
import { tempFiles, type TempFiles } from '../../support/temp-folder.js'

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
  shared_supply_points: Readonly<{ count: number; complete: boolean; examples: readonly unknown[] }>
  file_warnings: readonly Readonly<{
    check: string
    detail: string
    field: string
    count: number
    of: number
    at_least: boolean
    lines: readonly number[]
  }>[]
  written: Readonly<Record<'report' | 'failures' | 'errors', string | null>>
  run: Readonly<Record<string, unknown>>
}>

/** A folder with a file of accounts, and the command run on it. */
export type Offline = TempFiles &
  Readonly<{
    /** In the process of the test. */
    validate(args: readonly string[], environment?: CliEnvironment): Promise<CliOutcome>
    /** With `--json`; fails the test unless the exit code is the one named. */
    summary(args: readonly string[], code: number, surroundings?: CliSurroundings): Promise<Summary>
  }>

export const offline = async (t: ExecutionContext): Promise<Offline> => ({
  ...(await tempFiles(t)),
  validate: (args, environment = {}) => cliInProcess(['validate', ...args], environment),
  summary: async (args, code, surroundings) => {
    const outcome = await cliInProcess(['validate', ...args, '--json'], {}, surroundings)
    t.is(outcome.code, code, outcome.stderr)
    t.regex(outcome.stdout, /^[^\n]+\n$/)
    return JSON.parse(outcome.stdout) as Summary
  },
})

import { spawn, type ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** The bin `account-import` of the installed package. */
export const bin = fileURLToPath(
  new URL('../bin/account-import.js', import.meta.resolve('@account-import/server')),
)

export type CliEnvironment = Readonly<Record<string, string>>
export type CliProcess = ChildProcessByStdio<null, Readable, Readable>

/** Starts the command line with nothing of the test's own environment but the path; another one, or another version, by its bin. */
export const spawnCli = (
  args: readonly string[],
  environment: CliEnvironment,
  started: string = bin,
): CliProcess =>
  spawn(process.execPath, [started, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

export type CliOutcome = Readonly<{ code: number | null; stdout: string; stderr: string }>

const textOf = (stream: Readable): (() => string) => {
  const chunks: string[] = []
  stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk))
  return () => chunks.join('')
}

/** The output of the process when it has ended. */
export const outcomeOf = (
  child: ChildProcessByStdio<Writable | null, Readable, Readable>,
): Promise<CliOutcome> => {
  const stdout = textOf(child.stdout)
  const stderr = textOf(child.stderr)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout: stdout(), stderr: stderr() }))
  })
}

export const cli = (
  args: readonly string[],
  environment: CliEnvironment,
  started?: string,
): Promise<CliOutcome> => outcomeOf(spawnCli(args, environment, started))

/** A process whose standard input the test writes; its output so far, and its result after its end. */
export const pipedCli = (
  args: readonly string[],
  environment: CliEnvironment = {},
): Readonly<{
  child: ChildProcessByStdio<Writable, Readable, Readable>
  said: () => string
  outcome: Promise<CliOutcome>
}> => {
  const child = spawn(process.execPath, [bin, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // The command may end before it has read everything.
  child.stdin.on('error', () => undefined)
  return { child, said: textOf(child.stderr), outcome: outcomeOf(child) }
}

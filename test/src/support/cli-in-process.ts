import { runCli } from '@account-import/server'
import type { CliEnvironment, CliOutcome } from './cli-process.js'

// Commands that can be stopped listen for signals while they run, and tests run many at once.
process.setMaxListeners(100)

/** The standard input and a terminal, where a test has them. */
export type CliSurroundings = Pick<Parameters<typeof runCli>[1], 'input' | 'terminal'> &
  Readonly<{
    /** Called with the whole output after each part of it. */
    onSaid?: (stderr: string) => void
  }>

/** The command line inside the test's own process: for cases that need no process of their own. */
export const cliInProcess = async (
  args: readonly string[],
  environment: CliEnvironment,
  { onSaid, ...surroundings }: CliSurroundings = {},
): Promise<CliOutcome> => {
  let [stdout, stderr] = ['', '']
  const code = await runCli(args, {
    environment,
    out: (text) => (stdout += text),
    err: (text) => {
      stderr += text
      onSaid?.(stderr)
    },
    ...surroundings,
  })
  return { code, stdout, stderr }
}

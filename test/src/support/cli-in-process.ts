import { runCli } from '@account-import/server'
import type { CliEnvironment, CliOutcome } from './cli-process.js'

// Commands that can be stopped listen for signals while they run, and tests run many at once.
process.setMaxListeners(100)

/** The command line inside the test's own process: for cases that need no process of their own. */
export const cliInProcess = async (
  args: readonly string[],
  environment: CliEnvironment,
): Promise<CliOutcome> => {
  let [stdout, stderr] = ['', '']
  const code = await runCli(args, {
    environment,
    out: (text) => (stdout += text),
    err: (text) => (stderr += text),
  })
  return { code, stdout, stderr }
}

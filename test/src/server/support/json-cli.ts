import type { ExecutionContext } from 'ava'
import type { CliEnvironment, CliOutcome } from '../../support/cli-process.js'

type Cli = (args: readonly string[], environment: CliEnvironment) => Promise<CliOutcome>

/** Commands that have to succeed, by what they print with `--json`. */
export const jsonCli =
  (t: ExecutionContext, cli: Cli, environment: CliEnvironment) =>
  async (...args: readonly string[]): Promise<Record<string, unknown>> => {
    const { code, stdout, stderr } = await cli([...args, '--json'], environment)
    t.is(code, 0, stderr)
    return JSON.parse(stdout) as Record<string, unknown>
  }

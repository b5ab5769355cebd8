import type { ExecutionContext } from 'ava'
import type { CliEnvironment, CliOutcome, CliProcess } from './cli-process.js'
import { beginServing } from './server-process.js'

export type ServeProcess = Readonly<{
  child: CliProcess
  /** Its stdout once it served. */
  announced: Record<string, unknown>
  address: string
  ended: Promise<CliOutcome>
}>

/** Starts `serve --json` on a free port and waits until it announces itself; it is ended with the test. */
export const serveProcess = async (
  t: ExecutionContext,
  environment: CliEnvironment,
  args: readonly string[] = [],
): Promise<ServeProcess> => {
  const { child, ended, announced: announcing } = beginServing(args, environment)
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const announced = await announcing
  if (announced['address'] === undefined) throw new Error(`serve refused: ${JSON.stringify(announced)}`)
  return { child, announced, address: String(announced['address']), ended }
}

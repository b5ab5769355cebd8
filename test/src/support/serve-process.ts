import type { ExecutionContext } from 'ava'
import { outcomeOf, spawnCli, type CliEnvironment, type CliOutcome, type CliProcess } from './cli-process.js'

export type ServeProcess = Readonly<{
  child: CliProcess
  /** What it printed to stdout once it served. */
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
  const child = spawnCli(['serve', '--json', ...args], {
    PORT: '0',
    PAYMENT_VENDORS: 'SANDBOX',
    ...environment,
  })
  const ended = outcomeOf(child)
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const line = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk: string) => {
      text += chunk
      if (text.includes('\n')) resolve(text)
    })
    ended.then(({ code, stderr }) => reject(new Error(`serve ended with ${code}: ${stderr}`)), reject)
  })
  const announced = JSON.parse(line) as Record<string, unknown>
  if (announced['address'] === undefined) throw new Error(`serve refused: ${line}`)
  return { child, announced, address: String(announced['address']), ended }
}

import { once } from 'node:events'
import { outcomeOf, spawnCli, type CliEnvironment, type CliOutcome } from './cli-process.js'

/** A server in a process of its own. */
export type ServerProcess = Readonly<{
  address: string
  pid: number
  /** The entries of its log with a failure so far, one text each. */
  failures(): readonly string[]
  /** Ends it without warning, as `kill -9` does. Resolves when it has ended. */
  kill(): Promise<void>
  /** Ends it, and returns its exit code. */
  stop(): Promise<number | null>
}>

/** Starts `serve --json` on a free port; its stdout follows when it serves, unless it ends before. */
export const beginServing = (args: readonly string[], environment: CliEnvironment, program?: string) => {
  const served = { PORT: '0', PAYMENT_VENDORS: 'SANDBOX', ...environment }
  const child = spawnCli(['serve', '--json', ...args], served, program)
  const ended = outcomeOf(child)
  const line = new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk: string) => {
      text += chunk
      if (text.includes('\n')) resolve(text)
    })
    ended.then(({ code, stderr }) => reject(new Error(`serve ended with ${code}: ${stderr}`)), reject)
  })
  const announced = line.then((text) => JSON.parse(text) as Record<string, unknown>)
  return { child, ended, announced }
}

/** Starts `serve` on a free port of the loopback address; resolves when it accepts requests. */
export const startServerProcess = async (
  environment: CliEnvironment,
  program?: string,
): Promise<ServerProcess & Readonly<{ ended: Promise<CliOutcome> }>> => {
  const { child, ended, announced } = beginServing([], { LOG_LEVEL: 'error', ...environment }, program)
  let log = ''
  child.stderr.on('data', (chunk: string) => (log += chunk))
  const { address } = await announced
  const gone = async (signal: NodeJS.Signals): Promise<number | null> => {
    const exit = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
    child.kill(signal)
    await exit
    return child.exitCode
  }
  return {
    address: String(address),
    pid: child.pid ?? -1,
    failures: () => log.split('\n').filter((line) => line.includes('"failure":')),
    ended,
    kill: async () => {
      await gone('SIGKILL')
    },
    stop: () => gone('SIGTERM'),
  }
}

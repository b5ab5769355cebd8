import { once } from 'node:events'
import { outcomeOf, spawnCli, type CliEnvironment, type CliOutcome } from './cli-process.js'

/** A server in a process of its own. */
export type ServerProcess = Readonly<{
  address: string
  pid: number
  /** Ends it without warning, as `kill -9` does. Resolves when it is gone. */
  kill(): Promise<void>
  /** Asks it to end, and gives the code that it ended with. */
  stop(): Promise<number | null>
}>

/** Starts `serve` on a free port of the loopback address; resolves when it accepts requests. */
export const startServerProcess = async (
  environment: CliEnvironment,
  program?: string,
): Promise<ServerProcess & Readonly<{ ended: Promise<CliOutcome> }>> => {
  const child = spawnCli(
    ['serve', '--json'],
    { PORT: '0', LOG_LEVEL: 'error', PAYMENT_VENDORS: 'SANDBOX', ...environment },
    program,
  )
  const ended = outcomeOf(child)
  const announced = new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk: string) => {
      text += chunk
      if (text.includes('\n')) resolve(text)
    })
    ended.then(({ code, stderr }) => reject(new Error(`serve ended with ${code}: ${stderr}`)), reject)
  })
  const { address } = JSON.parse(await announced) as { address: string }
  const gone = async (signal: NodeJS.Signals): Promise<number | null> => {
    const exit = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
    child.kill(signal)
    await exit
    return child.exitCode
  }
  return {
    address,
    pid: child.pid ?? -1,
    ended,
    kill: async () => {
      await gone('SIGKILL')
    },
    stop: () => gone('SIGTERM'),
  }
}

import { freePort } from '../servers/index.js'
import type { CliEnvironment } from '../support/cli-process.js'
import { startServerProcess } from '../support/server-process.js'

/** A server process of ours that keeps its address when it is started again. */
export type Service = Readonly<{
  address: string
  /** Ends it as an operator would, after the requests in flight, and starts it again. */
  restart(): Promise<void>
  /** Kills it without warning, and starts it again. */
  killAndStart(): Promise<void>
  stop(): Promise<void>
}>

/** Starts a server on the database that its address names. */
export const startService = async (databaseUrl: string, environment: CliEnvironment): Promise<Service> => {
  const port = await freePort()
  const start = () => startServerProcess({ ...environment, DATABASE_URL: databaseUrl, PORT: String(port) })
  let running = await start()
  return {
    address: running.address,
    async restart() {
      await running.stop()
      running = await start()
    },
    async killAndStart() {
      await running.kill()
      running = await start()
    },
    async stop() {
      await running.stop()
    },
  }
}

import { Worker } from 'node:worker_threads'
import type { Facts } from '../request.js'
import type { Service } from './service.js'

/** What the thread says: first that it serves, then what it logs. */
export type FromThread = Readonly<{ port: number; facts: Facts }> | Readonly<{ logged: string }>

/**
 * A service on ports in memory in a thread of its own, so that it may crash or hang. `plant`: the name of a mistake that is
 * made in it.
 */
export const inThread = async (plant?: string): Promise<Service> => {
  const worker = new Worker(new URL('thread.js', import.meta.url), { workerData: { plant } })
  let log = ''
  let end: string | undefined
  worker.on('error', (error) => (end = `it crashed: ${error.message}`))
  worker.on('exit', () => (end ??= 'it ended'))
  const { port, facts } = await new Promise<Extract<FromThread, { port: number }>>((resolve, reject) => {
    worker.once('error', reject)
    worker.on('message', (message: FromThread) => {
      if ('port' in message) resolve(message)
      else log += message.logged
    })
  })
  return {
    port,
    facts,
    ended: () => end,
    log: () => log,
    close: async () => {
      await worker.terminate()
    },
  }
}

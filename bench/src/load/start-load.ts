import { fork } from 'node:child_process'
import { once } from 'node:events'
import { stopChild } from '../servers/stop-child.js'
import type { LoadJob, LoadResult } from './load-job.js'

/** The load generator. */
export type Load = Readonly<{
  /** One at a time. Rejects when a server broke a connection off. */
  run(job: LoadJob): Promise<LoadResult>
  stop(): Promise<void>
}>

type Message = Readonly<{ result: LoadResult }> | Readonly<{ failure: string }>

export const startLoad = (): Load => {
  const child = fork(new URL('./main.js', import.meta.url))
  return {
    run: async (job) => {
      child.send(job)
      const [message] = (await once(child, 'message')) as [Message]
      if ('failure' in message) throw new Error(`The load generator failed: ${message.failure}`)
      return message.result
    },
    stop: () => stopChild(child),
  }
}

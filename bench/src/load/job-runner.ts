import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { LoadJob, LoadResult } from './load-job.js'

/** Runs one job at a time. Rejects when a server broke a connection off, or when the child is gone. */
export type RunJob = (job: LoadJob) => Promise<LoadResult>

type Message = Readonly<{ result: LoadResult }> | Readonly<{ failure: string }>

/** Has jobs run by a child that answers them. */
export const jobRunner =
  (child: ChildProcess): RunJob =>
  async (job) => {
    const ended = new AbortController()
    const gone = once(child, 'exit', { signal: ended.signal }).then(() => {
      throw new Error('The process that runs the jobs ended')
    })
    try {
      child.send(job)
      const [message] = (await Promise.race([once(child, 'message', { signal: ended.signal }), gone])) as [
        Message,
      ]
      if ('failure' in message) throw new Error(`A job failed: ${message.failure}`)
      return message.result
    } finally {
      gone.catch(() => undefined)
      ended.abort()
    }
  }

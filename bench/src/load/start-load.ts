import { fork } from 'node:child_process'
import { stopChild } from '../children/stop-child.js'
import { jobRunner, type RunJob } from './job-runner.js'

/** The load generator. */
export type Load = Readonly<{ run: RunJob; stop(): Promise<void> }>

export const startLoad = (): Load => {
  const child = fork(new URL('./main.js', import.meta.url))
  return { run: jobRunner(child), stop: () => stopChild(child) }
}

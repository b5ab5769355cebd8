import cluster from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { withinTime } from '@account-import/core/adapter-kit'
import type { Environment } from '../config/variable.js'
import type { Snapshot } from '../metrics/metrics-text.js'
import { type Answers, exchange, type Started } from './exchange.js'

/** How a process ended; `code` is `null` where a signal ended it. */
export type Ended = Readonly<{ code: number | null; signal: string | null }>

/** A worker as its parent has it. */
export type WorkerProcess = Readonly<{
  /** Undefined where it ended, or failed, without saying why. */
  started: Promise<Started | undefined>
  ended: Promise<Ended>
  /** Its counts; undefined where it does not answer soon. */
  metrics(): Promise<Snapshot | undefined>
  /** Lets it finish its requests and end; kills it when it takes too long. */
  stop(): Promise<void>
}>

const limits = { metrics: 2000, stop: 15_000 }

const script = fileURLToPath(new URL('./worker.js', import.meta.url))

/** Starts a worker, the `number`-th of its service. All of them share the ports that they listen on. */
export const startWorker = (number: number, environment: Environment, answers: Answers): WorkerProcess => {
  // Numbers that JSON does not have, such as a mean of nothing, have to arrive too.
  cluster.setupPrimary({ exec: script, args: [], serialization: 'advanced' })
  const worker = cluster.fork(environment)
  let tell: (how: Started) => void = () => undefined
  const told = new Promise<Started>((resolve) => {
    tell = resolve
  })
  const gone = new AbortController()
  const ended = new Promise<Ended>((resolve) => {
    worker.once('exit', (code, signal) => {
      gone.abort()
      resolve({ code, signal })
    })
  })
  const ask = exchange(
    {
      send: (message) => worker.isConnected() && worker.send(message),
      onMessage: (listener) => void worker.on('message', listener),
    },
    { ...answers, number: async () => number, started: async (how) => tell(how as Started) },
  )
  const untilEnd = <A>(answer: Promise<unknown>): Promise<A | undefined> =>
    Promise.race([answer.catch(() => undefined), ended.then(() => undefined)]) as Promise<A | undefined>
  return {
    started: untilEnd<Started>(told),
    ended,
    // Not by `untilEnd`: the promise of the end would keep every answer until then.
    metrics: () =>
      withinTime(
        limits.metrics,
        () => ask('metrics').catch(() => undefined) as Promise<Snapshot | undefined>,
        () => undefined,
        gone.signal,
      ),
    stop: async () => {
      const timer = setTimeout(() => worker.process.kill('SIGKILL'), limits.stop)
      await untilEnd(ask('stop'))
      if (worker.isConnected()) worker.disconnect()
      await ended
      clearTimeout(timer)
    },
  }
}

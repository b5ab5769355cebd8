import type { MetricsText } from '@account-import/adapter-http-koa'
import type { Log } from '../log/log-events.js'
import type { Environment } from '../config/variable.js'
import { StartError } from '../start-error.js'
import { keepWorker, type Keeping } from './keep-worker.js'
import { createRestarts } from './restarts.js'
import { startWorker, type Ended, type WorkerProcess } from './worker-process.js'
import { workersMetrics } from './workers-metrics.js'

/** Several processes that serve on one port. */
export type Workers = Readonly<{
  /** Resolves to the address when all of them serve. Rejects with `StartError` when one does not; then none is left. */
  start(): Promise<string>
  /** The metrics of all of them as one. */
  scrape(): Promise<MetricsText>
  /** Lets all of them finish and end; answers whether all ended well. */
  stop(): Promise<boolean>
}>

export type WorkersOptions = Readonly<{
  count: number
  environment: Environment
  log: Log
  /** Told when workers have ended by themselves too often to be started again. Others may still serve. */
  onFailed(error: StartError): void
}>

const tooOften = (): StartError =>
  new StartError(
    'workers_keep_ending',
    'Worker processes ended by themselves more than 5 times in a minute. The log says how each of them ended.',
  )

const endedEarly = ({ code, signal }: Ended): StartError =>
  new StartError(
    'workers_keep_ending',
    `A worker process ended before it served (${signal ?? `exit code ${code}`}). The log says why.`,
  )

/** The address that a worker serves on. Rejects with `StartError`. */
const addressOf = async (worker: WorkerProcess): Promise<string> => {
  const started = await worker.started
  if (started === undefined) throw endedEarly(await worker.ended)
  if ('failure' in started) throw new StartError(started.failure.code, started.failure.message)
  return started.address
}

/** Processes that serve on one port and are kept running; none is started yet. */
export const createWorkers = ({ count, environment, log, onFailed }: WorkersOptions): Workers => {
  const running = new Set<WorkerProcess>()
  const stopping = new AbortController()
  const metrics = workersMetrics(() => [...running])
  const kept: Promise<Ended>[] = []
  const keeping: Keeping = {
    log,
    restarts: createRestarts(),
    stopping: stopping.signal,
    begin: (number) => {
      const worker = startWorker(number, environment, { scrape: metrics.scrape })
      running.add(worker)
      return worker
    },
    onEnded: (worker) => {
      running.delete(worker)
      metrics.ended(worker)
    },
    onGivenUp: () => onFailed(tooOften()),
  }
  const stop = async (): Promise<boolean> => {
    stopping.abort()
    await Promise.all([...running].map((worker) => worker.stop()))
    return (await Promise.all(kept)).every(({ code }) => code === 0)
  }
  const start = async (): Promise<string> => {
    const first = Array.from({ length: count }, (_, index) => keeping.begin(index + 1))
    kept.push(...first.map((worker, index) => keepWorker(keeping, index + 1, worker)))
    try {
      const [address = ''] = await Promise.all(first.map(addressOf))
      return address
    } catch (cause) {
      await stop()
      throw cause
    }
  }
  return { start, stop, scrape: metrics.scrape }
}

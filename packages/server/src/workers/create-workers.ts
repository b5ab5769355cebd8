import { setTimeout as delay } from 'node:timers/promises'
import type { MetricsText } from '@account-import/adapter-http-koa'
import type { Environment } from '../config/variable.js'
import type { Log } from '../log/log-events.js'
import { addedUp, metricsText, onlyCounted, type Snapshot, workerMetrics } from '../metrics/metrics-text.js'
import { StartError } from '../start-error.js'
import { type Ended, startWorker, type WorkerProcess } from './worker-process.js'

/** How often something may be started again. */
type Restarts = Readonly<{
  /** Milliseconds to wait before the next start, longer each time; undefined when it has ended too often of late. */
  next(): number | undefined
}>

const mostInAWhile = 5
const whileMilliseconds = 60_000
const leastPause = 100

const createRestarts = (now: () => number = () => performance.now()): Restarts => {
  let ends: readonly number[] = []
  return {
    next: () => {
      const end = now()
      ends = [...ends.filter((at) => at > end - whileMilliseconds), end]
      return ends.length > mostInAWhile ? undefined : leastPause * 2 ** ends.length
    },
  }
}

/** The state of a running worker. */
type Keeping = Readonly<{
  log: Log
  restarts: Restarts
  stopping: AbortSignal
  begin(number: number): WorkerProcess
  /** Told of each end that was not asked for. */
  onEnded(worker: WorkerProcess): void
  /** Told when the worker is not started any more. */
  onGivenUp(): void
}>

/** A worker that says that it cannot start has nothing else to do. */
const stopUnlessStarted = async (log: Log, number: number, worker: WorkerProcess): Promise<void> => {
  const started = await worker.started
  if (started === undefined || !('failure' in started)) return
  log.error(
    { event: 'worker_not_started', worker: number, code: started.failure.code },
    started.failure.message,
  )
  await worker.stop()
}

/** Starts a worker again whenever it ends by itself, after a pause. Resolves to how the last of them ended. */
const keepWorker = async (keeping: Keeping, number: number, first: WorkerProcess): Promise<Ended> => {
  const { log, restarts, stopping, begin, onEnded, onGivenUp } = keeping
  for (let worker = first; ; worker = begin(number)) {
    if (worker !== first) void stopUnlessStarted(log, number, worker)
    const end = await worker.ended
    onEnded(worker)
    if (stopping.aborted) return end
    log.error({ event: 'worker_ended', worker: number, ...end }, 'a worker process ended by itself')
    const pause = restarts.next()
    if (pause === undefined) onGivenUp()
    else await delay(pause, undefined, { signal: stopping }).catch(() => undefined)
    if (pause === undefined || stopping.aborted) return end
  }
}

type WorkersMetrics = Readonly<{
  /** The metrics of all workers as one. */
  scrape(): Promise<MetricsText>
  /** The counts of an ended worker stay in the sums: counts that fell would look as if all had begun anew. */
  ended(worker: WorkerProcess): void
}>

const workersMetrics = (running: () => readonly WorkerProcess[]): WorkersMetrics => {
  const own = workerMetrics(() => running().length)
  const latest = new Map<WorkerProcess, Snapshot>()
  let gone: Snapshot = []
  const look = async (worker: WorkerProcess): Promise<void> => {
    const snapshot = await worker.metrics()
    // It may have ended meanwhile.
    if (snapshot !== undefined && running().includes(worker)) latest.set(worker, snapshot)
  }
  return {
    scrape: async () => {
      await Promise.all(running().map(look))
      return metricsText([...latest.values(), gone, await own.snapshot()])
    },
    ended: (worker) => {
      own.ended()
      const last = latest.get(worker)
      latest.delete(worker)
      if (last !== undefined) gone = addedUp([gone, onlyCounted(last)])
    },
  }
}

/** Several processes that serve on one port. */
export type Workers = Readonly<{
  /** Resolves to the address when all of them serve. Rejects with `StartError` when one does not; then none is left. */
  start(): Promise<string>
  /** The metrics of all of them as one. */
  scrape(): Promise<MetricsText>
  /** Lets all of them finish and end; answers whether all ended well. */
  stop(): Promise<boolean>
}>

type WorkersOptions = Readonly<{
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

import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../log/log-events.js'
import type { Restarts } from './restarts.js'
import type { Ended, WorkerProcess } from './worker-process.js'

/** What keeps a worker running. */
export type Keeping = Readonly<{
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
export const keepWorker = async (keeping: Keeping, number: number, first: WorkerProcess): Promise<Ended> => {
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

import { Worker } from 'node:worker_threads'
import type { Batch, BatchOutcome } from '../account-files/batch.js'
import { FileFailure } from '../account-files/file-failure.js'
import { type FileOutcome, runOver, type Surroundings } from '../account-files/pass.js'
import { type OfflineJob, offlineReport } from './offline-report.js'
import type { CheckSetup } from './validate-line.js'

type Waiting = Readonly<{ resolve(outcome: BatchOutcome): void; reject(failure: FileFailure): void }>
type Busy = Readonly<{ worker: Worker; waiting: Waiting[] }>

/** Several times what the worst line takes. Beyond it the worker ends, before the machine runs out of memory. */
const heapLimitMib = 768

const crashed = (cause: unknown): FileFailure => {
  const memory = cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
  const what = memory ? 'ran out of memory' : 'ended unexpectedly'
  return new FileFailure('worker_failed', `A worker ${what}, so not every line was checked.`)
}

/**
 * Threads that check batches. They are started when there is something to do, at most `limit` of them. When one of
 * them dies, everything that is still under way is refused, and everything asked for afterwards.
 */
class CheckWorkers {
  private readonly limit: number
  private readonly setup: CheckSetup
  private readonly all: Busy[] = []
  private failure: FileFailure | undefined

  constructor(limit: number, setup: CheckSetup) {
    this.limit = limit
    this.setup = setup
  }

  /** Rejects with the failure that ended the workers. The bytes of the batch are given away. */
  check(batch: Batch): Promise<BatchOutcome> {
    return new Promise((resolve, reject) => {
      if (this.failure !== undefined) return reject(this.failure)
      const { worker, waiting } = this.leastBusy()
      waiting.push({ resolve, reject })
      worker.postMessage(batch, [batch.bytes.buffer])
    })
  }

  /** Refuses what is under way. */
  fail(failure: FileFailure): void {
    this.failure ??= failure
    for (const { waiting } of this.all) for (const { reject } of waiting.splice(0)) reject(this.failure)
  }

  async close(): Promise<void> {
    this.fail(crashed(undefined))
    await Promise.all(this.all.map(({ worker }) => worker.terminate()))
  }

  private leastBusy(): Busy {
    const [least] = this.all.toSorted((left, right) => left.waiting.length - right.waiting.length)
    const free = least !== undefined && least.waiting.length === 0
    return free || (least !== undefined && this.all.length >= this.limit) ? least : this.started()
  }

  private started(): Busy {
    const worker = new Worker(new URL('./check/worker.js', import.meta.url), {
      workerData: this.setup,
      resourceLimits: { maxOldGenerationSizeMb: heapLimitMib },
    })
    const busy: Busy = { worker, waiting: [] }
    worker.on('message', (outcome: BatchOutcome) => busy.waiting.shift()?.resolve(outcome))
    worker.on('messageerror', (cause) => this.fail(crashed(cause)))
    worker.on('error', (cause) => this.fail(crashed(cause)))
    worker.on('exit', () => this.fail(crashed(undefined)))
    this.all.push(busy)
    return busy
  }
}

/** Enough work to be worth handing to a worker, few enough to keep memory small. */
const batchBytes = 524_288

/** Batches read ahead for each worker, so that none waits for the reader. */
const aheadOfEach = 3

/**
 * Checks a file of accounts, one JSON account a line, by all that needs nothing but the account: the form of each field
 * and the rules over several. Writes what the job asks for. Rejects as `runOver` does.
 */
export const runOffline = (job: OfflineJob, surroundings: Surroundings): Promise<FileOutcome> => {
  const { file, converted, outputs, context, workers } = job
  return runOver(
    {
      file,
      converted,
      outputs,
      workers,
      batchBytes,
      ahead: workers * aheadOfEach,
      checkerOf: (wants) => new CheckWorkers(workers, { context, wants }),
      report: (totals, facts) => offlineReport(job, totals, facts),
    },
    surroundings,
  )
}

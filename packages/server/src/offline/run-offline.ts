import type { FileTotals, RunFacts } from '../account-files/counts.js'
import { Outputs, type Written } from '../account-files/output/outputs.js'
import { passOver, type Surroundings } from '../account-files/pass.js'
import { CheckWorkers } from './check-workers.js'
import { type OfflineJob, offlineReport } from './offline-report.js'

/** Enough work to be worth handing to a worker, few enough to keep memory small. */
const batchBytes = 524_288

/** Batches read ahead for each worker, so that none waits for the reader. */
const aheadOfEach = 3

export type OfflineOutcome = Readonly<{
  totals: FileTotals
  facts: RunFacts
  written: readonly Written[]
}>

/**
 * Checks a file of accounts, one JSON account a line, by all that needs nothing but the account: the form of each field
 * and the rules over several. Writes what the job asks for. Rejects with `FileFailure`; then no output has its name.
 */
export const runOffline = async (job: OfflineJob, surroundings: Surroundings): Promise<OfflineOutcome> => {
  const startedAt = new Date()
  const began = performance.now()
  const outputs = await Outputs.open(job.outputs, surroundings.print)
  try {
    const checker = new CheckWorkers(job.workers, { context: job.context, wants: outputs.wants })
    const ahead = job.workers * aheadOfEach
    const totals = await passOver({ file: job.file, outputs, checker, batchBytes, ahead }, surroundings)
    const facts = { startedAt, seconds: (performance.now() - began) / 1000, workers: job.workers }
    await outputs.writeReport(() => offlineReport(job, totals, facts))
    const written = await outputs.publish()
    return { totals, facts, written }
  } finally {
    await outputs.discard()
  }
}

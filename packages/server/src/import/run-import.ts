import { interrupted } from '../account-files/file-failure.js'
import type { FileTotals, RunFacts } from '../account-files/file-totals.js'
import { Outputs, type Written } from '../account-files/output/outputs.js'
import { passOver, type Surroundings } from '../account-files/pass.js'
import { tooLargeLine } from '../account-files/validated-line.js'
import { ImportChecker } from './import-checker.js'
import { planOf, type ImportJob } from './import-job.js'
import { importReport } from './import-report.js'
import type { LineState } from './line-outcome.js'
import { Service, type ServiceSetup } from './service.js'

/** So small that several requests are in flight for small files too, and that little is sent again after a cut. */
const batchBytes = 1_500_000

export type ImportOutcome = Readonly<{
  /** Their sum is the number of accounts. */
  states: Readonly<Record<LineState, number>>
  totals: FileTotals
  facts: RunFacts
  written: readonly Written[]
}>

/** Ends with the outer signal, and by itself. */
const linked = (outer: AbortSignal): AbortController => {
  const controller = new AbortController()
  const end = (): void => controller.abort(interrupted())
  if (outer.aborted) end()
  outer.addEventListener('abort', end)
  return controller
}

/**
 * Brings the accounts of a file to the service, several batches at a time, and writes what the job asks for. The same
 * job again goes on: what is staged is staged again, what is created stays as it is. `tally` is counted up on the way.
 * Rejects with `FileFailure`, an `ImportStopped` where the service ended it; then no output has its name.
 */
export const runImport = async (
  job: ImportJob,
  { tally, stop, ...asked }: ServiceSetup,
  surroundings: Omit<Surroundings, 'stop'>,
): Promise<ImportOutcome> => {
  const startedAt = new Date()
  const began = performance.now()
  const outputs = await Outputs.open(job.outputs, surroundings.print)
  const ending = linked(stop)
  try {
    const service = new Service({ ...asked, tally, stop: ending.signal }, job.concurrency)
    const setup = { service, plan: planOf(job), team: job.team ?? '', settled: tally.add.bind(tally) }
    const checker = new ImportChecker(setup, outputs.wants, ending)
    const { file, concurrency } = job
    const tooLong = (): void => tally.add({ state: 'failed', errors: tooLargeLine().errors })
    const totals = await passOver(
      // One batch is read ahead for each request, so that none waits for the reader.
      { file, outputs, checker, batchBytes, ahead: 2 * concurrency, tooLong },
      { ...surroundings, stop: ending.signal },
    )
    const facts = { startedAt, seconds: (performance.now() - began) / 1000, workers: concurrency }
    const { states } = tally
    await outputs.writeReport(() => importReport(job, states, totals, facts))
    return { states, totals, facts, written: await outputs.publish() }
  } finally {
    await outputs.discard()
  }
}

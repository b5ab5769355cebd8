import { tooLargeLine } from '../account-files/batch.js'
import type { FileTotals, RunFacts } from '../account-files/counts.js'
import { interrupted } from '../account-files/file-failure.js'
import { choosing } from '../account-files/input/chosen-lines.js'
import { identityOf, openSource } from '../account-files/input/source.js'
import { type FileOutcome, runOver, type Surroundings } from '../account-files/pass.js'
import { counted, numberText } from '../account-files/report/numbers.js'
import type { Verdict } from '../account-files/report/page.js'
import { reportPage } from '../account-files/report/report.js'
import { importChecker } from './batch-run.js'
import { type ImportJob, lineStates, stateWords, type Tally } from './import-job.js'
import { Runs } from './runs.js'
import { bulkRequests, type ServiceSetup } from './service.js'

const verdict = ({ failed, differing }: Tally['states'], accounts: number): Verdict => {
  const all = accounts === 0 ? 'The file holds no account.' : 'No account failed.'
  const said = [
    failed > 0 ? `${counted(failed, 'account')} of ${numberText(accounts)} failed.` : all,
    ...(differing > 0 ? [`${counted(differing, 'account')} created before, with other data.`] : []),
  ]
  return { tone: accounts === 0 ? 'warn' : failed + differing > 0 ? 'bad' : 'good', words: said.join(' ') }
}

/** The report of an import, as that of an offline check is. */
const importReport = (
  { file, outputs, dryRun, url, team, only }: ImportJob,
  states: Tally['states'],
  totals: FileTotals,
  facts: RunFacts,
): string =>
  reportPage({
    title: dryRun ? 'Trial import' : 'Import',
    lead: 'Customer accounts brought to the import service',
    file,
    outputs,
    totals,
    verdict: verdict(states, totals.accounts),
    outcomes: lineStates
      .filter((state) => states[state] > 0 || state === 'failed')
      .map((state) => [stateWords[state], states[state]]),
    ground: {
      title: 'Imported by',
      facts: [
        ['Service', url],
        ['Operations team', team ?? 'none'],
        ['Step', only ?? 'stage, then process'],
      ],
    },
    facts,
    workersName: 'Requests in flight',
  })

/** So small that several requests are in flight for small files too, and that little is sent again after a cut. */
const batchBytes = 1_500_000

/** The sum of the states is the number of accounts. */
export type ImportOutcome = FileOutcome &
  Readonly<{ states: Tally['states']; runs: Awaited<ReturnType<Runs['finish']>> }>

/** Ends with the outer signal, and by itself. */
const linked = (outer: AbortSignal): AbortController => {
  const controller = new AbortController()
  const end = (): void => controller.abort(interrupted())
  if (outer.aborted) end()
  outer.addEventListener('abort', end)
  return controller
}

/** None where nothing is staged or created. */
const runsOf = async (
  { file, converted, label, only, dryRun }: ImportJob,
  { client, retrySeconds }: Pick<ServiceSetup, 'client' | 'retrySeconds'>,
  input: Surroundings['input'],
  signal: AbortSignal,
): Promise<Runs | undefined> => {
  if (dryRun || only === 'validate') return undefined
  const source = converted === undefined ? await identityOf(file, signal) : undefined
  const reread = source && (() => openSource(file, input))
  return new Runs(client, { reread, source, label }, { signal, retrySeconds })
}

/**
 * Brings the accounts of a file to the service, several batches at a time, and writes what the job asks for. The same
 * job again goes on: what is staged is staged again, what is created stays as it is. `tally` is counted up on the way.
 * Rejects with `FileFailure`, an `ImportStopped` where the service ended it; then no output has its name. `onRuns` gets the import
 * runs, to which more are added on the way.
 */
export const runImport = async (
  job: ImportJob,
  { tally, stop, ...asked }: ServiceSetup,
  surroundings: Omit<Surroundings, 'stop'>,
  onRuns: (runs: Runs) => void = () => undefined,
): Promise<ImportOutcome> => {
  const { file, selection, converted, outputs, concurrency } = job
  const { states } = tally
  const ending = linked(stop)
  const service = bulkRequests({ ...asked, tally, stop: ending.signal }, concurrency)
  // The pass ends its own signal when it is over; runs are finished after that.
  const runs = await runsOf(job, asked, surroundings.input, stop)
  if (runs !== undefined) onRuns(runs)
  const outcome = await runOver(
    {
      file,
      choose: selection && choosing(selection),
      converted,
      outputs,
      workers: concurrency,
      batchBytes,
      // One batch is read ahead for each request, so that none waits for the reader.
      ahead: 2 * concurrency,
      checkerOf: (wants) => importChecker({ service, runs, job, tally }, wants, ending),
      tooLong: () => tally.add({ state: 'failed', errors: tooLargeLine().errors }),
      report: (totals, facts) => importReport(job, states, totals, facts),
    },
    { ...surroundings, stop: ending.signal },
  )
  return { ...outcome, states, runs: (await runs?.finish()) ?? [] }
}

import {
  bulkRequests,
  counted,
  type FileTotals,
  importChecker,
  type ImportSteps,
  interrupted,
  lineStates,
  numberText,
  type Place,
  type RunFacts,
  Runs,
  type ServiceSetup,
  stateWords,
  type Tally,
  tooLargeLine,
  type Verdict,
  piecesOf,
} from '@account-import/account-files'
import { choosing, type Selection } from '../account-files/input/chosen-lines.js'
import { identityOf, openSource } from '../account-files/input/source.js'
import type { OutputPaths } from '../account-files/output/outputs.js'
import { type Converted, type FileOutcome, runOver, type Surroundings } from '../account-files/pass.js'
import { reportPage } from '../account-files/report/report.js'
import { conversion } from '../program-name.js'

/** The accounts, the service and the outputs of an import. */
export type ImportJob = ImportSteps &
  Readonly<{
    /** Path of the file, `-` for standard input. */
    file: string
    /** The accounts of the file to import. Default: all. */
    selection?: Selection | undefined
    /** Accounts that were converted from `file`. */
    converted?: Converted | undefined
    url: string
    /** The name of the import run, for people. */
    label?: string | undefined
    /** The most requests in flight, from 1. */
    concurrency: number
    outputs: OutputPaths
  }>

const verdict = ({ failed, differing }: Tally['states'], accounts: number): Verdict => {
  const all = accounts === 0 ? 'The file contains no accounts.' : 'No account failed.'
  const sentences = [
    failed > 0 ? `${counted(failed, 'account')} of ${numberText(accounts)} failed.` : all,
    ...(differing > 0 ? [`${counted(differing, 'account')} created before, with other data.`] : []),
  ]
  return {
    tone: accounts === 0 ? 'warn' : failed + differing > 0 ? 'bad' : 'good',
    words: sentences.join(' '),
  }
}

/** The report of an import: the same page as that of an offline check. */
const importReport = (
  { file, converted, outputs, dryRun, url, team, only, label }: ImportJob,
  states: Tally['states'],
  ids: readonly string[],
  totals: FileTotals,
  facts: RunFacts,
  place: Place | undefined,
): string =>
  reportPage({
    title: dryRun ? 'Trial import' : 'Import',
    lead: 'Customer accounts sent to the import service',
    file,
    sourceRows: converted?.sourceRows,
    place,
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
        ['Step', only ?? 'stage and process'],
        ['Import run', ids.join(', ') || 'none'],
        ['Label', label ?? 'none'],
      ],
    },
    facts,
    workersName: 'Requests in flight',
  })

/** Small, so that small files too have several requests in flight, and little is repeated after a broken connection. */
const batchBytes = 1_500_000

/** The sum of the states is the number of accounts. */
type ImportOutcome = FileOutcome &
  Readonly<{ states: Tally['states']; runs: Awaited<ReturnType<Runs['finish']>> }>

/** A controller that aborts with the outer signal too. */
const linked = (outer: AbortSignal): AbortController => {
  const controller = new AbortController()
  const end = (): void => controller.abort(interrupted())
  if (outer.aborted) end()
  outer.addEventListener('abort', end)
  return controller
}

const pieceBytes = 1024 * 1024

async function* piecesIn(file: string, input: Surroundings['input']) {
  yield* piecesOf((await openSource(file, input)).content(), pieceBytes, conversion())
}

/** The import runs of a job; undefined where nothing is staged or created. */
const runsOf = async (
  { file, converted, label, only, dryRun }: ImportJob,
  { client, retrySeconds }: Pick<ServiceSetup, 'client' | 'retrySeconds'>,
  { input, progress }: Pick<Surroundings, 'input' | 'progress'>,
  signal: AbortSignal,
): Promise<Runs | undefined> => {
  if (dryRun || only === 'validate') return undefined
  const source = converted === undefined ? await identityOf(file, signal, progress.begin) : undefined
  const reread = source && (() => piecesIn(file, input))
  return new Runs(client, { reread, source, label }, { signal, retrySeconds })
}

/**
 * Imports the accounts of a file, several batches at a time, and writes the outputs of the job. A second run of the job resumes:
 * it stages staged accounts again, and leaves created ones unchanged. Counts each result in `tally`. Rejects with `FileFailure`,
 * or with `ImportStopped` where the service ended the import; then no output has its final name.
 */
export const runImport = async (
  job: ImportJob,
  { tally, stop, ...connection }: ServiceSetup,
  surroundings: Omit<Surroundings, 'stop'>,
): Promise<ImportOutcome> => {
  const { file, selection, converted, outputs, concurrency } = job
  const { states } = tally
  const ending = linked(stop)
  const service = bulkRequests({ ...connection, tally, stop: ending.signal }, concurrency)
  // The outer signal: runs are finished after the pass, which aborts `ending` at its end.
  const runs = await runsOf(job, connection, surroundings, stop)
  const outcome = await runOver(
    {
      file,
      choose: selection && choosing(selection),
      converted,
      outputs,
      workers: concurrency,
      batchBytes,
      // One batch is read ahead for each request, so that no request waits for the reader.
      ahead: 2 * concurrency,
      checkerOf: (wants) =>
        importChecker({ client: connection.client, service, runs, job, tally }, wants, ending),
      tooLong: () => {
        tally.read += 1
        tally.add({ state: 'failed', errors: tooLargeLine().errors })
      },
      report: (...results) => importReport(job, states, runs?.ids() ?? [], ...results),
    },
    { ...surroundings, stop: ending.signal },
  )
  return { ...outcome, states, runs: (await runs?.finish()) ?? [] }
}

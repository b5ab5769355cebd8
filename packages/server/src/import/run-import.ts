import type { FailedLine, ProcessedLine } from '@account-import/client'
import { detailOf, type FieldError } from '@account-import/core'
import { type Batch, type BatchOutcome, tooLargeLine, type Wants } from '../account-files/batch.js'
import type { FileTotals, RunFacts } from '../account-files/counts.js'
import { type FileFailure, interrupted } from '../account-files/file-failure.js'
import { html, type Html, noHtml } from '../account-files/html.js'
import { identityOf } from '../account-files/input/source.js'
import { csvOf } from '../account-files/output/csv.js'
import type { MappingRow } from '../account-files/output/rows.js'
import { type Checker, type FileOutcome, runOver, type Surroundings } from '../account-files/pass.js'
import { errorsTitle, fileFacts, fileTitle, runSection } from '../account-files/report/facts.js'
import { counted, numberText, shareText } from '../account-files/report/numbers.js'
import { factList, tile } from '../account-files/report/parts.js'
import { reportPage } from '../account-files/report/report-page.js'
import { BatchResult } from '../account-files/totals/batch-result.js'
import {
  errorsOf,
  type ImportLine,
  ImportStopped,
  type LineOutcome,
  type Plan,
  type Step,
  type ImportJob,
  importLines,
  type LineState,
  lineStates,
  planOf,
} from './import-job.js'
import { Runs, type SupplierRun } from './runs.js'
import { Service, type ServiceSetup } from './service.js'

const codes: ReadonlySet<string> = new Set([
  'import_supplier_migration_not_ongoing',
  'import_supplier_does_not_exist',
])

/**
 * The errors of a request that was refused because of its supplier alone: those of other suppliers may go on. Undefined
 * for anything else.
 */
const supplierRefusal = (cause: unknown): readonly FieldError[] | undefined => {
  if (!(cause instanceof ImportStopped)) return undefined
  const { code, detail, errors } = cause.failure.problem
  const found = errors.length > 0 ? errors : [{ code, detail }]
  return found.every((error) => codes.has(error.code))
    ? found.map((error) => ({ code: error.code, detail: error.detail, attr: 'import_supplier' }))
    : undefined
}

type BatchSetup = Readonly<{
  service: Service
  /** The import runs of the accounts; absent where nothing is staged or created. */
  runs: Runs | undefined
  plan: Plan
  team: string
  /** Called when a line is done with. */
  settled: (outcome: LineOutcome) => void
}>

const grouped = <K>(lines: readonly ImportLine[], keyOf: (line: ImportLine) => K): Map<K, ImportLine[]> => {
  const groups = new Map<K, ImportLine[]>()
  for (const line of lines) {
    const key = keyOf(line)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [line])
    else group.push(line)
  }
  return groups
}

const noBytes = new Uint8Array()

/** The lines as they are to be sent; a blank one stands for each that is not among them, so that lines keep their numbers. */
const bytesOf = (lines: readonly ImportLine[]): readonly Uint8Array[] => {
  const from = lines[0]?.offset ?? 0
  const sent: Uint8Array[] = []
  for (const { offset, bytes } of lines) {
    while (sent.length < offset - from) sent.push(noBytes)
    sent.push(bytes)
  }
  return sent
}

/** Brings the lines of one batch through the plan: all of them staged, then all of them processed. */
class BatchRun {
  private readonly outcomes = new Map<ImportLine, LineOutcome>()
  private readonly setup: BatchSetup
  private readonly firstLine: number

  /** `firstLine`: the number of the first line of the batch in the file. */
  constructor(setup: BatchSetup, firstLine: number) {
    this.setup = setup
    this.firstLine = firstLine
  }

  /** In the order of the lines. */
  async over(lines: readonly ImportLine[]): Promise<readonly LineOutcome[]> {
    const waiting = await this.sent(lines)
    for (const [supplier = '', group] of grouped(waiting, (line) => line.importSupplier))
      await this.process(supplier, group)
    return lines.flatMap((line) => this.outcomes.get(line) ?? [])
  }

  private settle(line: ImportLine, outcome: Omit<LineOutcome, 'line'>): void {
    const whole = { line, ...outcome }
    this.outcomes.set(line, whole)
    this.setup.settled(whole)
  }

  private fail(line: ImportLine, failed: FailedLine, step: Step): void {
    const platformAccountNumber = failed.problem.platform_account_number
    if (failed.code === 'account_already_imported')
      this.settle(line, { state: 'existing', errors: [], platformAccountNumber })
    else this.settle(line, { state: 'failed', errors: errorsOf(failed), step })
  }

  /** Those that are to be processed. */
  private async sent(lines: readonly ImportLine[]): Promise<readonly ImportLine[]> {
    const { send, process } = this.setup.plan
    if (send === undefined) return this.named(lines)
    const waiting: ImportLine[] = []
    const takeFrom =
      (sent: readonly ImportLine[]) =>
      (result: FailedLine | Readonly<{ outcome: 'done'; line: number }>): void => {
        const offset = (sent[0]?.offset ?? 0) + result.line - 1
        const line = sent.find((each) => each.offset === offset)
        if (line === undefined) return
        if (result.outcome === 'failed') this.fail(line, result, send)
        else if (process !== undefined) waiting.push(line)
        else this.settle(line, { state: send === 'stage' ? 'staged' : 'valid', errors: [] })
      }
    const { service, runs } = this.setup
    if (send === 'validate') {
      await service.validate(bytesOf(lines), takeFrom(lines))
      return waiting
    }
    // A line whose supplier cannot be read is refused anyway, and goes with the others.
    const first = lines.find((line) => line.importSupplier !== undefined)?.importSupplier
    for (const [supplier, group] of grouped(lines, (line) => line.importSupplier ?? first)) {
      const id = await runs?.idOf(supplier)
      const run = id === undefined ? undefined : { id, firstLine: this.firstLine + (group[0]?.offset ?? 0) }
      await service.stage(bytesOf(group), takeFrom(group), run)
    }
    return waiting
  }

  /** Without data being sent, nobody but this says of a line that it names no account. */
  private named(lines: readonly ImportLine[]): readonly ImportLine[] {
    const names = ({ importSupplier, externalAccountNumber }: ImportLine): boolean =>
      importSupplier !== undefined && externalAccountNumber !== undefined
    for (const line of lines)
      if (!names(line)) {
        const attr = line.importSupplier === undefined ? 'import_supplier' : 'external_account_number'
        this.settle(line, {
          state: 'failed',
          errors: [{ detail: detailOf('invalid', { form: 'a text in quotes' }), code: 'invalid', attr }],
          step: 'process',
        })
      }
    return lines.filter(names)
  }

  private async process(supplier: string, lines: readonly ImportLine[]): Promise<void> {
    try {
      await this.request(supplier, lines)
    } catch (cause) {
      const errors = supplierRefusal(cause)
      if (errors === undefined) throw cause
      for (const line of lines)
        if (!this.outcomes.has(line)) this.settle(line, { state: 'failed', errors, step: 'process' })
    }
  }

  private async request(supplier: string, lines: readonly ImportLine[]): Promise<void> {
    const { service, runs, plan, team } = this.setup
    const byNumber = grouped(lines, (line) => line.externalAccountNumber)
    const request = {
      import_supplier_code: supplier,
      operations_team_name: team,
      dry_run: plan.process === 'try',
      external_account_numbers: [...byNumber.keys()].filter((number) => number !== undefined),
    }
    const id = await runs?.idOf(supplier)
    await service.process(
      request,
      (result) => this.takeProcessed(byNumber.get(result.externalAccountNumber) ?? [], result),
      id === undefined ? undefined : { id },
    )
  }

  /** Lines with one number are one account: the last of them was staged last, so it is the one that was created. */
  private takeProcessed(lines: readonly ImportLine[], result: ProcessedLine | FailedLine): void {
    const { send, process } = this.setup.plan
    const trial = process === 'try'
    for (const [index, line] of lines.entries()) {
      if (result.outcome === 'failed') {
        // Accounts that were only validated in this run would be staged before they are processed.
        if (trial && send !== undefined && result.code === 'import_process_does_not_exist')
          this.settle(line, { state: 'valid', errors: [] })
        else this.fail(line, result, 'process')
      } else {
        const state = trial ? 'valid' : index === lines.length - 1 ? 'created' : 'existing'
        this.settle(line, { state, errors: [], platformAccountNumber: result.platformAccountNumber })
      }
    }
  }
}

/** The outcomes of the lines, in their order. Rejects with `ImportStopped`. */
const runBatch = (
  lines: readonly ImportLine[],
  setup: BatchSetup,
  firstLine: number,
): Promise<readonly LineOutcome[]> => new BatchRun(setup, firstLine).over(lines)

const words: Readonly<Record<LineState, string>> = {
  valid: 'Valid',
  staged: 'Staged',
  created: 'Created',
  existing: 'Created before',
  failed: 'Failed',
}

const verdict = (states: Readonly<Record<LineState, number>>, accounts: number): Html => {
  const tone = accounts === 0 ? 'warn' : states.failed > 0 ? 'bad' : 'good'
  const failed = `${counted(states.failed, 'account')} of ${numberText(accounts)} failed.`
  const all = accounts === 0 ? 'The file holds no account.' : 'No account failed.'
  return html`<section class="verdict ${tone}"><p>${states.failed > 0 ? failed : all}</p></section>`
}

const overview = (states: Readonly<Record<LineState, number>>, { accounts, lines }: FileTotals): Html =>
  html`${verdict(states, accounts)}
    <dl class="tiles" id="outcome">
      ${tile('', 'Accounts', numberText(accounts), `${counted(lines, 'line')} in the file`)}${lineStates.map(
        (state) =>
          states[state] === 0 && state !== 'failed'
            ? noHtml
            : tile(
                state === 'failed' ? 'bad' : 'good',
                words[state],
                numberText(states[state]),
                shareText(states[state], accounts),
              ),
      )}
    </dl>`

/** The report of an import, as that of an offline check is. */
const importReport = (
  job: ImportJob,
  states: Readonly<Record<LineState, number>>,
  totals: FileTotals,
  facts: RunFacts,
): string =>
  reportPage({
    title: `${job.dryRun ? 'Trial import' : 'Import'} of ${fileTitle(job.file)}`,
    lead: 'Customer accounts brought to the import service',
    totals,
    errors: errorsTitle(job.outputs),
    overview: overview(states, totals),
    ground: {
      id: 'imported-by',
      title: 'Imported by',
      section: html`<section id="imported-by">
        <h2>Imported by</h2>
        ${factList([
          ['Service', job.url],
          ['Operations team', job.team ?? 'none'],
          ['Step', job.only ?? 'stage, then process'],
        ])}
      </section> `,
    },
    closing: html`${fileFacts(job.file, totals)}${runSection(facts, totals.accounts, 'Requests in flight')}`,
  })

const mappingRow = ({ line, platformAccountNumber }: LineOutcome): readonly MappingRow[] =>
  platformAccountNumber === undefined
    ? []
    : [[line.importSupplier ?? '', line.externalAccountNumber ?? '', platformAccountNumber]]

/** Brings batches to the service. The first that cannot go on ends all of them. */
class ImportChecker implements Checker {
  private readonly setup: BatchSetup
  private readonly wants: Wants
  private readonly stop: AbortController

  /** `stop` is aborted, with the reason, when it is of no use to go on. */
  constructor(setup: BatchSetup, wants: Wants, stop: AbortController) {
    this.setup = setup
    this.wants = wants
    this.stop = stop
  }

  async check({ bytes, ...place }: Batch): Promise<BatchOutcome> {
    try {
      const result = new BatchResult(this.wants, place)
      const outcomes = await runBatch(importLines(bytes), this.setup, place.firstLine)
      for (const { line, errors, step } of outcomes)
        result.add(line.offset, line.range, { ...line, errors, step, warnings: [] })
      const mapping = this.wants.mapping ? csvOf(outcomes.flatMap(mappingRow)) : undefined
      return { ...result.outcome(bytes), mapping }
    } catch (cause) {
      if (cause instanceof ImportStopped) this.fail(cause)
      throw this.stop.signal.reason ?? cause
    }
  }

  fail(failure: FileFailure): void {
    this.stop.abort(failure)
  }

  /** After a whole pass nothing is under way any more. */
  async close(): Promise<void> {
    this.stop.abort()
  }
}

/** So small that several requests are in flight for small files too, and that little is sent again after a cut. */
const batchBytes = 1_500_000

/** The sum of the states is the number of accounts. */
export type ImportOutcome = FileOutcome &
  Readonly<{ states: Readonly<Record<LineState, number>>; runs: readonly SupplierRun[] }>

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
  signal: AbortSignal,
): Promise<Runs | undefined> => {
  if (dryRun || only === 'validate') return undefined
  const source = converted === undefined ? await identityOf(file, signal) : undefined
  return new Runs(client, { source, label }, { signal, retrySeconds })
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
  const { file, converted, outputs, concurrency } = job
  const { states } = tally
  const ending = linked(stop)
  const service = new Service({ ...asked, tally, stop: ending.signal }, concurrency)
  // The pass ends its own signal when it is over; runs are finished after that.
  const runs = await runsOf(job, asked, stop)
  if (runs !== undefined) onRuns(runs)
  const setup = { service, runs, plan: planOf(job), team: job.team ?? '', settled: tally.add.bind(tally) }
  const outcome = await runOver(
    {
      file,
      converted,
      outputs,
      workers: concurrency,
      batchBytes,
      // One batch is read ahead for each request, so that none waits for the reader.
      ahead: 2 * concurrency,
      checkerOf: (wants) => new ImportChecker(setup, wants, ending),
      tooLong: () => tally.add({ state: 'failed', errors: tooLargeLine().errors }),
      report: (totals, facts) => importReport(job, states, totals, facts),
    },
    { ...surroundings, stop: ending.signal },
  )
  await runs?.finish()
  return { ...outcome, states, runs: runs?.all ?? [] }
}

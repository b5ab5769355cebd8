import type { Client, FailedLine, ProcessedLine, ValidLine } from '@account-import/client'
import { detailOf, type FieldError } from '@account-import/core'
import { accessCheck, AccessRefused } from './access.js'
import {
  errorsOf,
  type ImportSteps,
  type ImportLine,
  importLines,
  ImportStopped,
  type LineOutcome,
  type Step,
  type Tally,
} from './import-job.js'
import type { Batch, BatchOutcome, Wants } from '../outcomes/batch.js'
import { csvOf } from '../tables/csv.js'
import type { Checker } from '../check/pass.js'
import { batchResult } from '../totals/batch-result.js'
import type { Runs } from './runs.js'
import type { bulkRequests } from './service.js'

/** The final outcome of a line. */
type Settled = Omit<LineOutcome, 'line'>

const otherData: FieldError = {
  detail:
    'The account exists, and was created from other data. Decide which data is right: correct the file, or undo the account and import it again.',
  code: 'account_already_imported',
  attr: 'external_account_number',
}

/** An existing account. `sameData` is undefined from a service of another version, or for erased data. */
const existing = (sameData: boolean | undefined, step: Step, platformAccountNumber?: string): Settled =>
  sameData === false
    ? { state: 'differing', errors: [otherData], step, platformAccountNumber }
    : { state: 'existing', errors: [], platformAccountNumber }

/** The outcome that staging would have, for a dry run. */
const foreseen = ({ staging, sameData }: ValidLine): Settled => {
  switch (staging) {
    case undefined:
      return { state: 'valid', errors: [] }
    case 'created':
      return { state: 'would_create', errors: [] }
    case 'replaced':
      return { state: 'would_replace', errors: [] }
    case 'account_already_imported':
      return existing(sameData, 'stage')
    default:
      return {
        state: 'failed',
        errors: [{ detail: detailOf(staging), code: staging, attr: '' }],
        step: 'stage',
      }
  }
}

const codes: ReadonlySet<string> = new Set([
  'import_supplier_migration_not_ongoing',
  'import_supplier_does_not_exist',
])

/**
 * The errors of a request that was refused because of its supplier alone, so that other suppliers can continue. Undefined
 * for any other failure.
 */
const supplierRefusal = (cause: unknown): readonly FieldError[] | undefined => {
  if (!(cause instanceof ImportStopped)) return undefined
  const { code, detail, errors } = cause.failure.problem
  const found = errors.length > 0 ? errors : [{ code, detail }]
  return found.every((error) => codes.has(error.code))
    ? found.map((error) => ({ code: error.code, detail: error.detail, attr: 'import_supplier' }))
    : undefined
}

/**
 * The requests for each account: the first one, and the one after it. `forecast`: validates, and the response contains the result
 * that staging would have. `import`: stages and creates. `ask`: checks whether supplier and team allow accounts to be created.
 */
type Plan = Readonly<{
  send: 'validate' | 'forecast' | 'stage' | 'import' | undefined
  process: 'create' | 'try' | 'ask' | undefined
}>

const hasRepeats = (lines: readonly ImportLine[]): boolean => {
  const names = lines.flatMap(({ importSupplier, externalAccountNumber: number }) =>
    number === undefined ? [] : [`${importSupplier}\n${number}`],
  )
  return new Set(names).size < names.length
}

/**
 * Staging validates too, so the plan has no extra validation. `try` is a dry run of processing staged data. One request stages and
 * creates, unless two lines are of one account, which is created from the last of them.
 */
const planOf = (
  { only, dryRun }: Pick<ImportSteps, 'only' | 'dryRun'>,
  lines: readonly ImportLine[],
): Plan => {
  switch (only) {
    case 'validate':
      return { send: 'validate', process: undefined }
    case 'stage':
      return { send: dryRun ? 'forecast' : 'stage', process: undefined }
    case 'process':
      return { send: undefined, process: dryRun ? 'try' : 'create' }
    case undefined:
      if (dryRun) return { send: 'forecast', process: 'ask' }
      return hasRepeats(lines) ? { send: 'stage', process: 'create' } : { send: 'import', process: undefined }
  }
}

export type ImportSetup = Readonly<{
  client: Client
  service: ReturnType<typeof bulkRequests>
  /** The import runs of the accounts; absent where nothing is staged or created. */
  runs: Runs | undefined
  job: ImportSteps
  tally: Tally
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

const created = ({ platformAccountNumber }: ProcessedLine): Settled => ({
  state: 'created',
  errors: [],
  platformAccountNumber,
})

const noBytes = new Uint8Array()

/** The bytes to send, with a blank line in place of each line that is left out, so that lines keep their numbers. */
const bytesOf = (lines: readonly ImportLine[]): readonly Uint8Array[] => {
  const from = lines[0]?.offset ?? 0
  const sent: Uint8Array[] = []
  for (const { offset, bytes } of lines) {
    while (sent.length < offset - from) sent.push(noBytes)
    sent.push(bytes)
  }
  return sent
}

/** Sends the lines of one batch by the plan: stages all, then processes all. */
class BatchRun {
  private readonly outcomes = new Map<ImportLine, LineOutcome>()
  /** The staged lines that are created next. */
  private readonly waiting = new Set<ImportLine>()
  private readonly setup: ImportSetup
  private readonly plan: Plan
  /** The `ask` requests of a dry run, by supplier. */
  private readonly permissionChecks: Map<string, Promise<void>>
  private readonly firstLine: number
  private readonly lines: readonly ImportLine[]

  /** `firstLine`: the number of the first line of the batch in the file. */
  constructor(
    setup: ImportSetup,
    permissionChecks: Map<string, Promise<void>>,
    firstLine: number,
    lines: readonly ImportLine[],
  ) {
    this.setup = setup
    this.plan = planOf(setup.job, lines)
    this.permissionChecks = permissionChecks
    this.firstLine = firstLine
    this.lines = lines
  }

  /** One outcome for each line, in their order. */
  async run(): Promise<readonly LineOutcome[]> {
    const { lines } = this
    if (lines.length === 0) return []
    const waiting = await this.sent(lines)
    for (const [supplier = '', group] of grouped(waiting, (line) => line.importSupplier))
      await this.process(supplier, group)
    if (this.plan.process === 'ask') await this.ask()
    return lines.flatMap((line) => this.outcomes.get(line) ?? [])
  }

  private settle(line: ImportLine, outcome: Settled): void {
    const whole = { line, ...outcome }
    this.outcomes.set(line, whole)
    this.setup.tally.add(whole, this.waiting.delete(line))
  }

  /** Counts a staged line at once: a person who watches sees it before its account is created. */
  private wait(line: ImportLine): void {
    this.waiting.add(line)
    this.setup.tally.wait()
  }

  private fail(line: ImportLine, failed: FailedLine, step: Step): void {
    const { same_data: sameData, platform_account_number: platformNumber } = failed.problem
    if (failed.code === 'account_already_imported')
      this.settle(line, existing(sameData, step, platformNumber))
    else this.settle(line, { state: 'failed', errors: errorsOf(failed), step })
  }

  /** Sends the first request of the lines; answers the lines to process. */
  private async sent(lines: readonly ImportLine[]): Promise<readonly ImportLine[]> {
    const { service, job } = this.setup
    const { send, process } = this.plan
    if (send === undefined) return this.named(lines)
    const taking = <Done extends Readonly<{ outcome: 'done'; line: number }>>(
      sent: readonly ImportLine[],
      step: Step,
      settledOf: (done: Done) => Settled | undefined,
    ) => {
      const byOffset = new Map(sent.map((line) => [line.offset, line]))
      return (result: Done | FailedLine): void => {
        const line = byOffset.get((sent[0]?.offset ?? 0) + result.line - 1)
        if (line === undefined) return
        if (result.outcome === 'failed') return this.fail(line, result, step)
        const settled = settledOf(result)
        if (settled === undefined) this.wait(line)
        else this.settle(line, settled)
      }
    }
    if (send === 'validate' || send === 'forecast') {
      const valid: Settled = { state: 'valid', errors: [] }
      const settledOf = send === 'forecast' ? foreseen : () => valid
      await service.validate(bytesOf(lines), taking(lines, 'validate', settledOf))
      return []
    }
    const staged: Settled | undefined = process === undefined ? { state: 'staged', errors: [] } : undefined
    // A line without a readable supplier will be refused; it is sent with the lines of the first supplier.
    const first = lines.find((line) => line.importSupplier !== undefined)?.importSupplier
    for (const [supplier, group] of grouped(lines, (line) => line.importSupplier ?? first)) {
      await this.withinRun(supplier, async (id) => {
        const answered = new Set([...this.waiting, ...this.outcomes.keys()])
        const left = group.filter((line) => !answered.has(line))
        const run = id === undefined ? undefined : { id, firstLine: this.firstLine + (left[0]?.offset ?? 0) }
        if (send === 'import')
          await service.importAll(bytesOf(left), job.team ?? '', taking(left, 'stage', created), run)
        else
          await service.stage(
            bytesOf(left),
            taking(left, 'stage', () => staged),
            run,
          )
      })
    }
    return [...this.waiting]
  }

  /** Calls `send` again under a new run, for the remaining lines, if another client finished the run. */
  private withinRun(
    supplier: string | undefined,
    send: (id: string | undefined) => Promise<void>,
  ): Promise<void> {
    const { runs } = this.setup
    return runs === undefined ? send(undefined) : runs.within(supplier, send)
  }

  /** Checks once for each supplier whether the team may create accounts, by a dry run of any of its accounts. */
  private async ask(): Promise<void> {
    const { permissionChecks } = this
    // New accounts first: a dry run claims a staged account for a moment.
    for (const wanted of ['would_create', 'would_replace'] as const)
      for (const { line, state } of this.outcomes.values()) {
        const { importSupplier: supplier } = line
        if (state === wanted && supplier !== undefined && !permissionChecks.has(supplier))
          permissionChecks.set(supplier, this.request(supplier, [line]))
      }
    await Promise.all(permissionChecks.values())
  }

  /** Refuses lines without supplier or account number, which the service never gets when only processing. */
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

  private request(supplier: string, lines: readonly ImportLine[]): Promise<void> {
    const { plan } = this
    const { service, job } = this.setup
    return this.withinRun(supplier, async (id) => {
      const left = plan.process === 'ask' ? lines : lines.filter((line) => !this.outcomes.has(line))
      const byNumber = grouped(left, (line) => line.externalAccountNumber)
      const request = {
        import_supplier_code: supplier,
        operations_team_name: job.team ?? '',
        dry_run: plan.process !== 'create',
        external_account_numbers: [...byNumber.keys()].filter((number) => number !== undefined),
      }
      await service.process(
        request,
        (result) => {
          if (plan.process !== 'ask')
            this.takeProcessed(byNumber.get(result.externalAccountNumber) ?? [], result)
        },
        id === undefined ? undefined : { id },
      )
    })
  }

  /** Lines with the same number are one account, which was created from the last line. */
  private takeProcessed(lines: readonly ImportLine[], result: ProcessedLine | FailedLine): void {
    const trial = this.plan.process === 'try'
    for (const [index, line] of lines.entries()) {
      if (result.outcome === 'failed') this.fail(line, result, 'process')
      else {
        const state = trial ? 'valid' : index === lines.length - 1 ? 'created' : 'existing'
        this.settle(line, { state, errors: [], platformAccountNumber: result.platformAccountNumber })
      }
    }
  }
}

/** An account under both of its numbers. */
type MappingRow = readonly [importSupplier: string, externalNumber: string, platformNumber: string]

const mappingRow = ({ line, platformAccountNumber }: LineOutcome): readonly MappingRow[] =>
  platformAccountNumber === undefined
    ? []
    : [[line.importSupplier ?? '', line.externalAccountNumber ?? '', platformAccountNumber]]

/**
 * Imports batches. The first failed batch ends all: aborts `stop`, with the failure as its reason, when no batch can continue. Then
 * running requests are finished, and `close` waits for them.
 */
export const importChecker = (setup: ImportSetup, wants: Wants, stop: AbortController): Checker => {
  const permissionChecks = new Map<string, Promise<void>>()
  const assertAllowed = accessCheck(setup.client, setup.job, stop.signal)
  const running = new Set<Promise<BatchOutcome>>()
  const imported = async ({ bytes, ...place }: Batch): Promise<BatchOutcome> => {
    try {
      const result = batchResult(wants, place)
      const lines = importLines(bytes)
      setup.tally.read += lines.length
      await assertAllowed(lines)
      const outcomes = await new BatchRun(setup, permissionChecks, place.firstLine, lines).run()
      for (const { line, errors, step, state } of outcomes) {
        const { externalAccountNumber = '' } = line
        if (state === 'differing')
          setup.tally.nameDiffering({ line: place.firstLine + line.offset, externalAccountNumber })
        result.add(line.offset, line.range, { ...line, errors, step, warnings: [] })
      }
      const mapping = wants.mapping ? csvOf(outcomes.flatMap(mappingRow)) : undefined
      return { ...result.outcome(bytes), mapping }
    } catch (cause) {
      if (cause instanceof ImportStopped || cause instanceof AccessRefused) stop.abort(cause)
      throw stop.signal.reason ?? cause
    }
  }
  return {
    check: (batch) => {
      const outcome = imported(batch)
      running.add(outcome)
      return outcome.finally(() => running.delete(outcome))
    },
    fail: (failure) => stop.abort(failure),
    close: async () => {
      stop.abort()
      await Promise.allSettled(running)
    },
  }
}

import type { BulkProcessRequest, Client, FailedLine, ProcessedLine, ValidLine } from '@account-import/client'
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
import type { bulkRequests, NamedRun } from './service.js'

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

const hasRepeats = (lines: readonly ImportLine[]): boolean => {
  const names = lines.flatMap(({ importSupplier, externalAccountNumber: number }) =>
    number === undefined ? [] : [`${importSupplier}\n${number}`],
  )
  return new Set(names).size < names.length
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

/** Sends the lines of one batch. */
class BatchRun {
  private readonly outcomes = new Map<ImportLine, LineOutcome>()
  /** The staged lines that are created next. */
  private readonly waiting = new Set<ImportLine>()
  private readonly setup: ImportSetup
  /** For a dry run, the checks whether the team may create accounts, by supplier. */
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
    this.permissionChecks = permissionChecks
    this.firstLine = firstLine
    this.lines = lines
  }

  /** One outcome for each line, in their order. */
  async run(): Promise<readonly LineOutcome[]> {
    if (this.lines.length > 0) await this.send(this.setup.job)
    return this.lines.flatMap((line) => this.outcomes.get(line) ?? [])
  }

  /**
   * Staging validates too, so there is no extra validation. One request stages and creates, unless two lines are of one account,
   * which is created from the last of them.
   */
  private async send({ only, dryRun }: ImportSteps): Promise<void> {
    if (only === 'validate') return this.validate(() => ({ state: 'valid', errors: [] }))
    if (only === 'process') return this.process(this.named())
    if (dryRun) {
      await this.validate(foreseen)
      return only === undefined ? this.ask() : undefined
    }
    if (only === 'stage') return this.stage(() => ({ state: 'staged', errors: [] }))
    if (!hasRepeats(this.lines)) return this.importAll()
    await this.stage(() => undefined)
    return this.process([...this.waiting])
  }

  private settle(line: ImportLine, outcome: Settled): void {
    const whole = { line, ...outcome }
    this.outcomes.set(line, whole)
    this.setup.tally.add(whole, this.waiting.delete(line))
  }

  private fail(line: ImportLine, failed: FailedLine, step: Step): void {
    const { same_data: sameData, platform_account_number: platformNumber } = failed.problem
    if (failed.code === 'account_already_imported')
      this.settle(line, existing(sameData, step, platformNumber))
    else this.settle(line, { state: 'failed', errors: errorsOf(failed), step })
  }

  /** Takes the results of lines that were sent together. A line without a settled outcome waits for the next step. */
  private taking<Done extends Readonly<{ outcome: 'done'; line: number }>>(
    sent: readonly ImportLine[],
    step: Step,
    settledOf: (done: Done) => Settled | undefined,
  ) {
    const byOffset = new Map(sent.map((line) => [line.offset, line]))
    return (result: Done | FailedLine): void => {
      const line = byOffset.get((sent[0]?.offset ?? 0) + result.line - 1)
      if (line === undefined) return
      if (result.outcome === 'failed') return this.fail(line, result, step)
      const settled = settledOf(result)
      if (settled !== undefined) return this.settle(line, settled)
      // Counted at once: a person who watches sees it before its account is created.
      this.waiting.add(line)
      this.setup.tally.wait()
    }
  }

  private validate(settledOf: (done: ValidLine) => Settled): Promise<void> {
    const { lines } = this
    return this.setup.service.validate(bytesOf(lines), this.taking(lines, 'validate', settledOf))
  }

  private stage(settledOf: () => Settled | undefined): Promise<void> {
    const { service } = this.setup
    return this.bySupplier(this.lines, this.isLeft, (lines, run) =>
      service.stage(bytesOf(lines), this.taking(lines, 'stage', settledOf), run),
    )
  }

  private importAll(): Promise<void> {
    const { service, job } = this.setup
    return this.bySupplier(this.lines, this.isLeft, (lines, run) =>
      service.importAll(bytesOf(lines), job.team ?? '', this.taking(lines, 'stage', created), run),
    )
  }

  private readonly hasNoOutcome = (line: ImportLine): boolean => !this.outcomes.has(line)

  /** Whether the line is to be sent, being neither settled nor staged. */
  private readonly isLeft = (line: ImportLine): boolean => this.hasNoOutcome(line) && !this.waiting.has(line)

  /** Sends the lines of each supplier under its run; again those without a result, if another client finished the run. */
  private async bySupplier(
    all: readonly ImportLine[],
    isLeft: (line: ImportLine) => boolean,
    send: (lines: readonly ImportLine[], run: NamedRun | undefined, supplier: string) => Promise<void>,
  ): Promise<void> {
    const { runs } = this.setup
    // A line without a readable supplier will be refused; it is sent with the lines of the first supplier.
    const first = all.find((line) => line.importSupplier !== undefined)?.importSupplier
    for (const [supplier, group] of grouped(all, (line) => line.importSupplier ?? first)) {
      const sendLeft = (id?: string): Promise<void> => {
        const lines = group.filter(isLeft)
        const firstLine = this.firstLine + (lines[0]?.offset ?? 0)
        return send(lines, id === undefined ? undefined : { id, firstLine }, supplier ?? '')
      }
      await (runs === undefined ? sendLeft() : runs.within(supplier, sendLeft))
    }
  }

  /** Checks once for each supplier whether the team may create accounts, by a dry run of any of its accounts. */
  private async ask(): Promise<void> {
    const { permissionChecks } = this
    // New accounts first: a dry run claims a staged account for a moment.
    for (const wanted of ['would_create', 'would_replace'] as const)
      for (const { line, state } of this.outcomes.values()) {
        const { importSupplier: supplier } = line
        if (state === wanted && supplier !== undefined && !permissionChecks.has(supplier))
          permissionChecks.set(
            supplier,
            this.setup.service.process(this.request(supplier, [line]), () => undefined),
          )
      }
    await Promise.all(permissionChecks.values())
  }

  /** Refuses lines without supplier or account number, which the service never gets when only processing. */
  private named(): readonly ImportLine[] {
    for (const line of this.lines) {
      const { importSupplier, externalAccountNumber } = line
      if (importSupplier !== undefined && externalAccountNumber !== undefined) continue
      const attr = importSupplier === undefined ? 'import_supplier' : 'external_account_number'
      const error: FieldError = {
        detail: detailOf('invalid', { form: 'a text in quotes' }),
        code: 'invalid',
        attr,
      }
      this.settle(line, { state: 'failed', errors: [error], step: 'process' })
    }
    return this.lines.filter(this.hasNoOutcome)
  }

  /** Creates the accounts of lines, or tries to in a dry run. */
  private process(all: readonly ImportLine[]): Promise<void> {
    return this.bySupplier(all, this.hasNoOutcome, async (lines, run, supplier) => {
      const byNumber = grouped(lines, (line) => line.externalAccountNumber)
      try {
        await this.setup.service.process(
          this.request(supplier, lines),
          (result) => this.takeProcessed(byNumber.get(result.externalAccountNumber) ?? [], result),
          run && { id: run.id },
        )
      } catch (cause) {
        const errors = supplierRefusal(cause)
        if (errors === undefined) throw cause
        for (const line of lines.filter(this.hasNoOutcome))
          this.settle(line, { state: 'failed', errors, step: 'process' })
      }
    })
  }

  private request(supplier: string, lines: readonly ImportLine[]): BulkProcessRequest {
    const { team = '', dryRun } = this.setup.job
    const numbers = lines.flatMap(({ externalAccountNumber }) => externalAccountNumber ?? [])
    return {
      import_supplier_code: supplier,
      operations_team_name: team,
      dry_run: dryRun,
      external_account_numbers: numbers,
    }
  }

  /** Lines with the same number are one account, which was created from the last line. */
  private takeProcessed(lines: readonly ImportLine[], result: ProcessedLine | FailedLine): void {
    for (const [index, line] of lines.entries()) {
      if (result.outcome === 'failed') this.fail(line, result, 'process')
      else if (this.setup.job.dryRun) this.settle(line, { ...created(result), state: 'valid' })
      else
        this.settle(line, { ...created(result), state: index === lines.length - 1 ? 'created' : 'existing' })
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

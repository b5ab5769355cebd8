import type { FailedLine, ProcessedLine } from '@account-import/client'
import { detailOf, type FieldError } from '@account-import/core'
import {
  errorsOf,
  type ImportLine,
  ImportStopped,
  type LineOutcome,
  type Plan,
  type Step,
} from './import-job.js'
import type { Service } from './service.js'

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

export type BatchSetup = Readonly<{
  service: Service
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

/** Brings the lines of one batch through the plan: all of them staged, then all of them processed. */
class BatchRun {
  private readonly outcomes = new Map<ImportLine, LineOutcome>()
  private readonly setup: BatchSetup

  constructor(setup: BatchSetup) {
    this.setup = setup
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
    const take = (result: FailedLine | Readonly<{ outcome: 'done'; line: number }>): void => {
      const line = lines[result.line - 1]
      if (line === undefined) return
      if (result.outcome === 'failed') this.fail(line, result, send)
      else if (process !== undefined) waiting.push(line)
      else this.settle(line, { state: send === 'stage' ? 'staged' : 'valid', errors: [] })
    }
    const bytes = lines.map((line) => line.bytes)
    await (send === 'stage'
      ? this.setup.service.stage(bytes, take)
      : this.setup.service.validate(bytes, take))
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

  private request(supplier: string, lines: readonly ImportLine[]): Promise<void> {
    const { service, plan, team } = this.setup
    const byNumber = grouped(lines, (line) => line.externalAccountNumber)
    const request = {
      import_supplier_code: supplier,
      operations_team_name: team,
      dry_run: plan.process === 'try',
      external_account_numbers: [...byNumber.keys()].filter((number) => number !== undefined),
    }
    return service.process(request, (result) =>
      this.takeProcessed(byNumber.get(result.externalAccountNumber) ?? [], result),
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
export const runBatch = (lines: readonly ImportLine[], setup: BatchSetup): Promise<readonly LineOutcome[]> =>
  new BatchRun(setup).over(lines)

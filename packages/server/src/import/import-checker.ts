import type { Batch, BatchOutcome, Wants } from '../account-files/batch.js'
import { BatchResult } from '../account-files/totals/batch-result.js'
import type { FileFailure } from '../account-files/file-failure.js'
import { csvOf } from '../account-files/output/csv.js'
import type { MappingRow } from '../account-files/output/mapping-rows.js'
import type { Checker } from '../account-files/pass.js'
import { runBatch, type BatchSetup } from './batch-run.js'
import { importLines } from './import-line.js'
import { ImportStopped } from './import-stopped.js'
import type { LineOutcome } from './line-outcome.js'

const mappingRow = ({ line, platformAccountNumber }: LineOutcome): readonly MappingRow[] =>
  platformAccountNumber === undefined
    ? []
    : [[line.importSupplier ?? '', line.externalAccountNumber ?? '', platformAccountNumber]]

/** Brings batches to the service. The first that cannot go on ends all of them. */
export class ImportChecker implements Checker {
  private readonly setup: BatchSetup
  private readonly wants: Wants
  private readonly stop: AbortController

  /** `stop` is aborted, with the reason, when it is of no use to go on. */
  constructor(setup: BatchSetup, wants: Wants, stop: AbortController) {
    this.setup = setup
    this.wants = wants
    this.stop = stop
  }

  async check({ bytes, firstLine }: Batch): Promise<BatchOutcome> {
    try {
      const result = new BatchResult(this.wants, firstLine)
      const outcomes = await runBatch(importLines(bytes), this.setup)
      for (const { line, errors } of outcomes)
        result.add(line.offset, line.range, { ...line, errors, warnings: [] })
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

import type { Batch, BatchOutcome } from './batch.js'
import type { FileTotals } from './file-totals.js'
import type { Outputs } from './output/outputs.js'
import { RepeatedKeys } from './totals/repeated-keys.js'
import { Totals } from './totals/totals.js'

/** Puts the outcomes of batches together, in the order of the file. */
export class Merger {
  private readonly totals = new Totals()
  private readonly repeats = new RepeatedKeys()
  private readonly outputs: Outputs

  constructor(outputs: Outputs) {
    this.outputs = outputs
  }

  get accounts(): number {
    return this.totals.accounts
  }

  async add(batch: Pick<Batch, 'firstLine'>, outcome: BatchOutcome): Promise<void> {
    this.totals.add(outcome)
    this.repeats.add(batch, outcome)
    if (outcome.failures !== undefined) await this.outputs.addFailures(outcome.failures)
    if (outcome.errors !== undefined) await this.outputs.addErrors(outcome.errors)
    if (outcome.mapping !== undefined) await this.outputs.addMapping(outcome.mapping)
  }

  /** Bytes of a failed line that nobody else holds. */
  async addFailedBytes(bytes: Uint8Array): Promise<void> {
    await this.outputs.addFailures(bytes)
  }

  outcome(): Omit<FileTotals, 'lines' | 'bytes' | 'sha256'> {
    const { accounts, failed, validWithWarnings, heaviest, spread } = this.totals
    const { count, examples, complete } = this.repeats
    return {
      accounts,
      failed,
      validWithWarnings,
      heaviest,
      spread,
      codes: this.totals.codes(),
      repeats: { count, examples, complete },
    }
  }
}

import { type Batch, type BatchOutcome, type SourceRow, tooLargeLine, type Wants } from '../outcomes/batch.js'
import type { CodeCount, FieldCount, LineTotals } from '../outcomes/counts.js'
import type { FileFailure } from '../outcomes/file-failure.js'
import { linesIn } from '../lines/lines-of.js'
import type { Piece } from '../lines/pieces.js'
import { batchResult, Counts } from '../totals/batch-result.js'
import { FileChecks } from '../totals/file-checks.js'

/** The outcome of a line that is too long for memory. Its bytes go to the failed lines without this function. */
const tooLargeOutcome = (line: number, wants: Wants, sources?: readonly SourceRow[]): BatchOutcome => {
  const failures = wants.failures === 'table' ? 'table' : undefined
  const result = batchResult({ ...wants, failures }, { firstLine: line, sources })
  result.add(0, { start: 0, end: 0, next: 0 }, tooLargeLine())
  return result.outcome(new Uint8Array())
}

/** Checks batches, several at a time. */
export type Checker = Readonly<{
  /** Rejects with the failure that ended the checker. Transfers the bytes of the batch. */
  check(batch: Batch): Promise<BatchOutcome>
  /** Rejects all running checks. */
  fail(failure: FileFailure): void
  close(): Promise<void>
}>

const byFrequency = (left: FieldCount, right: FieldCount): number =>
  right.findings - left.findings || (left.field < right.field ? -1 : 1)

const bySeverity = (left: CodeCount, right: CodeCount): number =>
  Number(left.severity === 'warning') - Number(right.severity === 'warning') ||
  right.accounts - left.accounts ||
  (left.code < right.code ? -1 : 1)

/** Errors before warnings, the most frequent first; then by name. */
const sortedCodes = (codes: readonly CodeCount[]): readonly CodeCount[] =>
  codes.map((code) => ({ ...code, fields: code.fields.toSorted(byFrequency) })).toSorted(bySeverity)

/** How the pieces of a file are checked, and what takes the outcomes. */
export type Pass = Readonly<{
  wants: Wants
  checker: Pick<Checker, 'check'>
  /** The most running batches. */
  ahead: number
  /** The source rows of the next lines, if the accounts were converted. */
  sources?: ((lines: number) => readonly SourceRow[]) | undefined
  /** Replaces each piece of the input, such as by a selection of its lines; undefined skips it. */
  choose?: ((piece: Piece) => Piece | undefined) | undefined
  /** Called for each line that is too long for memory, which is in no batch. */
  tooLong?: (() => void) | undefined
  /** Takes the tables and the failed lines of each batch, in the order of the file. */
  add: (outcome: Pick<BatchOutcome, 'failures'> & Partial<BatchOutcome>) => Promise<void> | void
  /** Called after each batch with the accounts checked so far. */
  update: (accounts: number) => void
}>

/** Checks pieces, with a bounded number of running batches, and merges their outcomes in the order of the file. */
export const passOf = ({ wants, checker, ahead, sources, choose, tooLong, add, update }: Pass) => {
  let line = 1
  const running: Promise<BatchOutcome>[] = []
  const [counts, checks] = [new Counts(), new FileChecks()]
  const merge = async (outcome: BatchOutcome): Promise<void> => {
    counts.addBatch(outcome)
    checks.add(outcome)
    await add(outcome)
  }
  const drain = async (downTo = 0): Promise<void> => {
    while (running.length > downTo) {
      const next = running.shift()
      if (next === undefined) return
      await merge(await next)
      update(counts.lines)
    }
  }
  const takeLines = async (bytes: Uint8Array<ArrayBuffer>): Promise<void> => {
    const firstLine = line
    const lines = linesIn(bytes)
    line += lines
    const outcome = checker.check({ bytes, firstLine, sources: sources?.(lines) })
    // `drain` awaits the outcome later. Without this, Node would end the process after an earlier rejection.
    outcome.catch(() => undefined)
    running.push(outcome)
    await drain(ahead)
  }
  /** Adds the bytes to the failed lines at once, after all earlier ones: the line is too long for memory. */
  const takeLongLine = async ({ bytes, ends }: Extract<Piece, { kind: 'long line' }>): Promise<void> => {
    await drain()
    if (wants.failures === 'lines') await add({ failures: new Uint8Array(bytes) })
    if (!ends) return
    await merge(tooLargeOutcome(line, wants, sources?.(1)))
    tooLong?.()
    line += 1
  }
  return {
    take: async (piece: Piece): Promise<void> => {
      const chosen = choose === undefined ? piece : choose(piece)
      if (chosen?.kind === 'lines') await takeLines(chosen.bytes)
      else if (chosen !== undefined) await takeLongLine(chosen)
    },
    /** The totals of the lines, after the end of all running batches. */
    end: async (): Promise<LineTotals> => {
      await drain()
      const numbers = counts.numbers()
      return {
        ...numbers,
        codes: sortedCodes(numbers.codes),
        lines: line - 1,
        ...checks.totals(numbers.accounts),
      }
    },
  }
}

import type { Readable } from 'node:stream'
import { type Batch, type BatchOutcome, tooLargeLine, type Wants } from './batch.js'
import { type CodeCount, type FieldCount, type FileTotals, type RunFacts } from './counts.js'
import { FileFailure, interrupted } from './file-failure.js'
import { type Piece, piecesOf } from './input/pieces.js'
import { linesIn } from './input/lines-of.js'
import { openSource, Source } from './input/source.js'
import { type OutputPaths, Outputs, type Print, type Written } from './output/outputs.js'
import { batchResult, Counts } from './totals/batch-result.js'
import { FileChecks } from './totals/file-checks.js'
import type { SourceRows } from './report/source-rows.js'
import { RepeatedKeys } from './totals/repeated-keys.js'

/** The outcome of a line that is too long for memory. Its bytes go to the failed lines without this function. */
const tooLargeOutcome = (line: number, wants: Wants, sources?: readonly string[]): BatchOutcome => {
  const failures = wants.failures === 'table' ? 'table' : undefined
  const result = batchResult({ ...wants, failures }, { firstLine: line, sources })
  result.add(0, { start: 0, end: 0, next: 0 }, tooLargeLine())
  return result.outcome(new Uint8Array())
}

/** An input while it is read: the bytes so far, and of all of it; `size` is undefined for a stream of unknown length. */
export type Reading = Readonly<{ bytes: number; size: number | undefined }>

/**
 * Shows how far a run is. `begin`: gets the input, whose bytes grow while it is read; a second input takes the place of the first.
 * `update`: gets the accounts checked so far, after each batch.
 */
export type Progress = Readonly<{
  begin(reading: Reading): void
  update(accounts: number): void
  end(): void
}>

export type Surroundings = Readonly<{
  input: Readable
  /** Prints to the standard output. */
  print: Print
  progress: Progress
  stop: AbortSignal
}>

/** Checks batches, several at a time. */
export type Checker = Readonly<{
  /** Rejects with the failure that ended the checker. Transfers the bytes of the batch. */
  check(batch: Batch): Promise<BatchOutcome>
  /** Rejects all running checks. */
  fail(failure: FileFailure): void
  close(): Promise<void>
}>

/**
 * Converted accounts in place of a file: their lines.
 *
 * - `sources`: returns the source rows of the next lines
 * - `sourceRows`: the rows of each file that was converted
 * - `rejects`: the table of the rows with a fault
 */
export type Converted = Readonly<{
  content: Readable
  sources(lines: number): readonly string[]
  sourceRows: readonly SourceRows[]
  rejects(): AsyncIterable<Uint8Array>
}>

/** A file of accounts, and how to process it. */
type FileRun = Readonly<{
  /** Path of the file, `-` for standard input. */
  file: string
  converted?: Converted | undefined
  /** Approximate bytes of a batch. */
  batchBytes: number
  /** The most running batches. */
  ahead: number
  /** Replaces each piece of the input, such as by a selection of its lines; undefined skips it. */
  choose?: ((piece: Piece) => Piece | undefined) | undefined
  /** Called for each line that is too long for memory, which is in no batch. */
  tooLong?: () => void
  outputs: OutputPaths
  checkerOf(wants: Wants): Checker
  /** Threads that check, or requests in flight; for the report. */
  workers: number
  report(totals: FileTotals, facts: RunFacts): string
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

/** Checks pieces, with a bounded number of running batches, and merges their outcomes in the order of the file. */
const passOf = (
  { converted, ahead, choose, tooLong }: FileRun,
  outputs: Outputs,
  checker: Checker,
  progress: Progress,
) => {
  let line = 1
  const running: Readonly<{ firstLine: number; outcome: Promise<BatchOutcome> }>[] = []
  const [counts, repeats, checks] = [new Counts(), new RepeatedKeys(), new FileChecks()]
  const merge = async (firstLine: number, outcome: BatchOutcome): Promise<void> => {
    counts.addBatch(outcome)
    repeats.add(firstLine, outcome.keys)
    checks.add(firstLine, outcome.facts)
    await outputs.add(outcome)
  }
  const drain = async (downTo = 0): Promise<void> => {
    while (running.length > downTo) {
      const next = running.shift()
      if (next === undefined) return
      await merge(next.firstLine, await next.outcome)
      progress.update(counts.lines)
    }
  }
  const takeLines = async (bytes: Uint8Array<ArrayBuffer>): Promise<void> => {
    const firstLine = line
    const lines = linesIn(bytes)
    line += lines
    const outcome = checker.check({ bytes, firstLine, sources: converted?.sources(lines) })
    // `drain` awaits the outcome later. Without this, Node would end the process after an earlier rejection.
    outcome.catch(() => undefined)
    running.push({ firstLine, outcome })
    await drain(ahead)
  }
  /** Writes the bytes to the failed lines at once, after all earlier ones: the line is too long for memory. */
  const takeLongLine = async ({ bytes, ends }: Extract<Piece, { kind: 'long line' }>): Promise<void> => {
    await drain()
    if (outputs.wants.failures === 'lines') await outputs.add({ failures: bytes })
    if (!ends) return
    await merge(line, tooLargeOutcome(line, outputs.wants, converted?.sources(1)))
    tooLong?.()
    line += 1
  }
  return {
    take: async (piece: Piece): Promise<void> => {
      if (converted !== undefined) await outputs.add({ out: piece.bytes })
      const chosen = choose === undefined ? piece : choose(piece)
      if (chosen?.kind === 'lines') await takeLines(chosen.bytes)
      else if (chosen !== undefined) await takeLongLine(chosen)
    },
    /** The numbers of the file, after the end of all running batches. */
    end: async (): Promise<Omit<FileTotals, 'bytes' | 'sha256'>> => {
      await drain()
      const { count, examples, complete } = repeats
      const numbers = counts.numbers()
      return {
        ...numbers,
        codes: sortedCodes(numbers.codes),
        lines: line - 1,
        repeats: { count, examples, complete },
        sharedPoints: checks.shared(),
        warnings: checks.warnings(numbers.accounts),
      }
    },
  }
}

/**
 * Goes over all lines of a file. Memory does not depend on its size, but for what `RepeatedKeys` and
 * `FileChecks` remember.
 * Rejects with `FileFailure`, with the reason of `stop` where it is one.
 */
const passOver = async (
  run: FileRun,
  outputs: Outputs,
  { input, progress, stop }: Surroundings,
): Promise<FileTotals> => {
  const { file, converted } = run
  const checker = run.checkerOf(outputs.wants)
  const source = converted ? new Source(file, converted.content) : await openSource(file, input)
  const pass = passOf(run, outputs, checker, progress)
  const onStop = (): void => {
    const failure = stop.reason instanceof FileFailure ? stop.reason : interrupted()
    checker.fail(failure)
    source.stop(failure)
  }
  stop.addEventListener('abort', onStop)
  progress.begin(source)
  try {
    if (stop.aborted) onStop()
    for await (const piece of piecesOf(source, run.batchBytes)) await pass.take(piece)
    return { ...(await pass.end()), bytes: source.bytes, sha256: source.sha256() }
  } finally {
    progress.end()
    stop.removeEventListener('abort', onStop)
    await checker.close()
  }
}

/** The result of a run over a file. */
export type FileOutcome = Readonly<{
  totals: FileTotals
  facts: RunFacts
  written: readonly Written[]
}>

/** Processes a file and writes the requested outputs. Rejects with `FileFailure`; then no output has its final name. */
export const runOver = async (run: FileRun, surroundings: Surroundings): Promise<FileOutcome> => {
  const startedAt = new Date()
  const began = performance.now()
  const outputs = await Outputs.open(run.outputs, surroundings.print, run.converted !== undefined)
  try {
    const totals = await passOver(run, outputs, surroundings)
    const facts = { startedAt, seconds: (performance.now() - began) / 1000, workers: run.workers }
    if (run.outputs.rejects !== undefined)
      for await (const rejects of run.converted?.rejects() ?? []) await outputs.add({ rejects })
    await outputs.writeReport(() => run.report(totals, facts))
    return { totals, facts, written: await outputs.publish() }
  } finally {
    await outputs.discard()
  }
}

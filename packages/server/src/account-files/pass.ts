import type { Readable } from 'node:stream'
import { type Batch, type BatchOutcome, tooLargeLine, type Wants } from './batch.js'
import { type CodeCount, type FieldCount, type FileTotals, type RunFacts } from './counts.js'
import { FileFailure, interrupted } from './file-failure.js'
import { type Piece, piecesOf } from './input/pieces.js'
import { linesIn } from './input/lines-of.js'
import { openSource, Source } from './input/source.js'
import { type OutputPaths, Outputs, type Print, type Written } from './output/outputs.js'
import { BatchResult, Counts } from './totals/batch-result.js'
import { FileChecks } from './totals/file-checks.js'
import { RepeatedKeys } from './totals/repeated-keys.js'

/** The outcome of a line that is too long to be held; if the failed lines are wanted, its reader keeps its bytes. */
const tooLargeOutcome = (line: number, wants: Wants, sources?: readonly string[]): BatchOutcome => {
  const failures = wants.failures === 'table' ? 'table' : undefined
  const result = new BatchResult({ ...wants, failures }, { firstLine: line, sources })
  result.add(0, { start: 0, end: 0, next: 0 }, tooLargeLine())
  return result.outcome(new Uint8Array())
}

/** Called now and then with what is done: bytes of the input, and accounts checked. */
export type Progress = Readonly<{
  begin(totalBytes: number | undefined): void
  update(bytes: number, accounts: number): void
  end(): void
}>

export type Surroundings = Readonly<{
  input: Readable
  /** Prints what is to go to the standard output. */
  print: Print
  progress: Progress
  stop: AbortSignal
}>

/** Gives the outcomes of the lines of each batch, several batches at a time. */
export type Checker = Readonly<{
  /** Rejects with the failure that ended the checker. The bytes of the batch are given away. */
  check(batch: Batch): Promise<BatchOutcome>
  /** Refuses what is under way. */
  fail(failure: FileFailure): void
  close(): Promise<void>
}>

/** Accounts that are made on the way in place of a file: their lines, and for as many of these as come next, their sources. */
export type Converted = Readonly<{ content: Readable; sources(lines: number): readonly string[] }>

type PassJob = Readonly<{
  /** Path of the file, `-` for standard input. */
  file: string
  converted?: Converted | undefined
  outputs: Outputs
  checker: Checker
  /** Bytes of a batch, about. */
  batchBytes: number
  /** The most batches under way. */
  ahead: number
  /** Gives the pieces that are looked at, in place of those that came. */
  choose?: ((piece: Piece) => Piece | undefined) | undefined
  /** Told of each line that is too long to be held, which no batch has. */
  tooLong?: () => void
}>

type UnderWay = Readonly<{
  firstLine: number
  outcome: Promise<BatchOutcome>
  /** Bytes of the input up to the end of the batch. */
  bytesRead: number
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

/** Checks pieces, with a bounded number of batches under way, and puts their outcomes together in the order of the file. */
class Pass {
  private line = 1
  private readonly underWay: UnderWay[] = []
  private readonly counts = new Counts()
  private readonly repeats = new RepeatedKeys()
  private readonly checks = new FileChecks()
  private readonly job: PassJob
  private readonly progress: Progress

  constructor(job: PassJob, progress: Progress) {
    this.job = job
    this.progress = progress
  }

  async take(piece: Piece, bytesRead: number): Promise<void> {
    if (this.job.converted !== undefined) await this.job.outputs.add({ out: piece.bytes })
    const chosen = this.job.choose === undefined ? piece : this.job.choose(piece)
    if (chosen?.kind === 'lines') await this.takeLines(chosen.bytes, bytesRead)
    else if (chosen !== undefined) await this.takeLongLine(chosen)
  }

  /** The numbers of the file, once all that is under way has ended. */
  async end(): Promise<Omit<FileTotals, 'bytes' | 'sha256'>> {
    await this.drain()
    const { count, examples, complete } = this.repeats
    const numbers = this.counts.numbers()
    return {
      ...numbers,
      codes: sortedCodes(numbers.codes),
      lines: this.line - 1,
      repeats: { count, examples, complete },
      sharedPoints: this.checks.shared(),
      warnings: this.checks.warnings(numbers.accounts),
    }
  }

  private async drain(downTo = 0): Promise<void> {
    while (this.underWay.length > downTo) {
      const next = this.underWay.shift()
      if (next === undefined) return
      await this.merge(next.firstLine, await next.outcome)
      this.progress.update(next.bytesRead, this.counts.lines)
    }
  }

  private async takeLines(bytes: Uint8Array<ArrayBuffer>, bytesRead: number): Promise<void> {
    const firstLine = this.line
    const lines = linesIn(bytes)
    this.line += lines
    const outcome = this.job.checker.check({ bytes, firstLine, sources: this.job.converted?.sources(lines) })
    // It is awaited when its turn comes; without this, Node would end the process if it failed before.
    outcome.catch(() => undefined)
    this.underWay.push({ firstLine, outcome, bytesRead })
    await this.drain(this.job.ahead)
  }

  /** Its bytes go straight to the failed lines, after everything before it: nobody else holds them. */
  private async takeLongLine({ bytes, ends }: Extract<Piece, { kind: 'long line' }>): Promise<void> {
    const { converted, outputs, tooLong } = this.job
    await this.drain()
    if (outputs.wants.failures === 'lines') await outputs.add({ failures: bytes })
    if (!ends) return
    await this.merge(this.line, tooLargeOutcome(this.line, outputs.wants, converted?.sources(1)))
    tooLong?.()
    this.line += 1
  }

  private async merge(firstLine: number, outcome: BatchOutcome): Promise<void> {
    this.counts.addBatch(outcome)
    this.repeats.add(firstLine, outcome.keys)
    this.checks.add(firstLine, outcome.facts)
    await this.job.outputs.add(outcome)
  }
}

const stoppedBy = ({ reason }: AbortSignal): FileFailure =>
  reason instanceof FileFailure ? reason : interrupted()

/**
 * Goes over all lines of a file. Memory does not depend on its size, but for what `RepeatedKeys` and
 * `FileChecks` remember.
 * Rejects with `FileFailure`, with the reason of `stop` where it is one.
 */
const passOver = async (
  job: PassJob,
  { input, progress, stop }: Omit<Surroundings, 'print'>,
): Promise<FileTotals> => {
  const source = job.converted
    ? new Source(job.file, job.converted.content)
    : await openSource(job.file, input)
  const pass = new Pass(job, progress)
  const onStop = (): void => {
    const failure = stoppedBy(stop)
    job.checker.fail(failure)
    source.stop(failure)
  }
  stop.addEventListener('abort', onStop)
  progress.begin(source.size)
  try {
    if (stop.aborted) onStop()
    for await (const piece of piecesOf(source, job.batchBytes)) await pass.take(piece, source.bytes)
    return { ...(await pass.end()), bytes: source.bytes, sha256: source.sha256() }
  } finally {
    progress.end()
    stop.removeEventListener('abort', onStop)
    await job.checker.close()
  }
}

/** The result of a run over a file. */
export type FileOutcome = Readonly<{
  totals: FileTotals
  facts: RunFacts
  written: readonly Written[]
}>

type FileRun = Omit<PassJob, 'outputs' | 'checker'> &
  Readonly<{
    outputs: OutputPaths
    checkerOf(wants: Wants): Checker
    /** Threads that check, or requests in flight; for the report. */
    workers: number
    report(totals: FileTotals, facts: RunFacts): string
  }>

/** Goes over a file, and writes what is asked for. Rejects with `FileFailure`; then no output has its name. */
export const runOver = async (
  { outputs: paths, checkerOf, workers, report, ...job }: FileRun,
  { print, ...surroundings }: Surroundings,
): Promise<FileOutcome> => {
  const startedAt = new Date()
  const began = performance.now()
  const outputs = await Outputs.open(paths, print, job.converted !== undefined)
  try {
    const totals = await passOver({ ...job, outputs, checker: checkerOf(outputs.wants) }, surroundings)
    const facts = { startedAt, seconds: (performance.now() - began) / 1000, workers }
    await outputs.writeReport(() => report(totals, facts))
    return { totals, facts, written: await outputs.publish() }
  } finally {
    await outputs.discard()
  }
}

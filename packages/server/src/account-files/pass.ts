import type { Readable } from 'node:stream'
import { type Batch, type BatchOutcome, tooLargeLine, type Wants } from './batch.js'
import { FileFailure, interrupted } from './file-failure.js'
import type { FileTotals } from './file-totals.js'
import { linesIn } from './input/lines-of.js'
import { inputFailure, Metered, type Piece, pieces, unpacked } from './input/pieces.js'
import { openSource } from './input/source.js'
import { Merger } from './merger.js'
import type { Outputs, Print } from './output/outputs.js'
import { BatchResult } from './totals/batch-result.js'

/** The outcome of a line that is too long to be held; its bytes are kept by whoever reads them. */
const tooLargeOutcome = (line: number, wants: Wants): BatchOutcome => {
  const result = new BatchResult({ ...wants, failures: false }, line)
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

type PassJob = Readonly<{
  /** Path of the file, `-` for standard input. */
  file: string
  outputs: Outputs
  checker: Checker
  /** Bytes of a batch, about. */
  batchBytes: number
  /** The most batches under way. */
  ahead: number
  /** Told of each line that is too long to be held, which no batch has. */
  tooLong?: () => void
}>

type UnderWay = Readonly<{
  batch: Pick<Batch, 'firstLine'>
  outcome: Promise<BatchOutcome>
  /** Bytes of the input up to the end of the batch. */
  bytesRead: number
}>

/** Reads, checks and merges, with a bounded number of batches under way. */
class Pass {
  private line = 1
  private begun = false
  private readonly underWay: UnderWay[] = []
  private readonly job: PassJob
  private readonly merger: Merger
  private readonly progress: Progress

  constructor(job: PassJob, merger: Merger, progress: Progress) {
    this.job = job
    this.merger = merger
    this.progress = progress
  }

  /** The number of lines so far. */
  get lines(): number {
    return this.line - 1
  }

  async take(piece: Piece, bytesRead: number): Promise<void> {
    const failure = this.begun ? undefined : inputFailure(piece.bytes)
    if (failure !== undefined) throw failure
    this.begun = true
    if (piece.kind === 'lines') await this.takeLines(piece.bytes, bytesRead)
    else await this.takeLongLine(piece)
  }

  async drain(downTo = 0): Promise<void> {
    while (this.underWay.length > downTo) {
      const next = this.underWay.shift()
      if (next === undefined) return
      await this.merger.add(next.batch, await next.outcome)
      this.progress.update(next.bytesRead, this.merger.accounts)
    }
  }

  private async takeLines(bytes: Uint8Array<ArrayBuffer>, bytesRead: number): Promise<void> {
    const firstLine = this.line
    this.line += linesIn(bytes)
    const outcome = this.job.checker.check({ bytes, firstLine })
    // It is awaited when its turn comes; without this, Node would end the process if it failed before.
    outcome.catch(() => undefined)
    this.underWay.push({ batch: { firstLine }, outcome, bytesRead })
    await this.drain(this.job.ahead)
  }

  /** Its bytes go straight to the failed lines, after everything before it. */
  private async takeLongLine({ bytes, ends }: Extract<Piece, { kind: 'long line' }>): Promise<void> {
    await this.drain()
    await this.merger.addFailedBytes(bytes)
    if (!ends) return
    await this.merger.add({ firstLine: this.line }, tooLargeOutcome(this.line, this.job.outputs.wants))
    this.job.tooLong?.()
    this.line += 1
  }
}

const stoppedBy = ({ reason }: AbortSignal): FileFailure =>
  reason instanceof FileFailure ? reason : interrupted()

/**
 * Goes over all lines of a file. Memory does not depend on its size, but for the keys that `RepeatedKeys` remembers.
 * Rejects with `FileFailure`, with the reason of `stop` where it is one.
 */
export const passOver = async (
  job: PassJob,
  { input, progress, stop }: Omit<Surroundings, 'print'>,
): Promise<FileTotals> => {
  const { outputs, checker } = job
  const source = await openSource(job.file, input)
  const metered = new Metered(source)
  const merger = new Merger(outputs)
  const pass = new Pass(job, merger, progress)
  const onStop = (): void => {
    const failure = stoppedBy(stop)
    checker.fail(failure)
    source.stop(failure)
  }
  stop.addEventListener('abort', onStop)
  progress.begin(source.size)
  try {
    if (stop.aborted) onStop()
    for await (const piece of pieces(unpacked(metered.chunks()), job.batchBytes))
      await pass.take(piece, metered.bytes)
    await pass.drain()
    return { ...merger.outcome(), lines: pass.lines, bytes: metered.bytes, sha256: metered.sha256() }
  } finally {
    progress.end()
    stop.removeEventListener('abort', onStop)
    await checker.close()
  }
}

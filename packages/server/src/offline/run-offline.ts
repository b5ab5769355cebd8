import type { Readable } from 'node:stream'
import type { Batch, BatchOutcome, CheckSetup } from './batch.js'
import { tooLargeOutcome } from './check/check-batch.js'
import { linesIn } from './check/lines-of.js'
import { CheckWorkers } from './check-workers.js'
import { inputFailure } from './input/input-failure.js'
import { Metered } from './input/metered.js'
import { pieces, type Piece } from './input/pieces.js'
import { openSource } from './input/source.js'
import { unpacked } from './input/unpacked.js'
import { OfflineFailure } from './offline-failure.js'
import type { OfflineTotals, OfflineJob, RunFacts } from './offline-run.js'
import { Outputs } from './output/outputs.js'
import { Merger } from './merger.js'
import { reportPage } from './report/report-page.js'

/** Bytes of a batch: enough work to be worth handing to a worker, few enough to keep memory small. */
const batchBytes = 524_288

/** Batches read ahead for each worker, so that none waits for the reader. */
const aheadOfEach = 3

/** Called now and then with what is done: bytes of the input read, and accounts checked. */
export type Progress = Readonly<{
  begin(totalBytes: number | undefined): void
  update(bytes: number, accounts: number): void
  end(): void
}>

export type OfflineSurroundings = Readonly<{ input: Readable; progress: Progress; stop: AbortSignal }>
export type OfflineOutcome = Readonly<{
  totals: OfflineTotals
  facts: RunFacts
  written: readonly string[]
}>

/** Reads, checks and merges, with a bounded number of batches under way. */
class Pass {
  private line = 1
  private begun = false
  private readonly underWay: Readonly<{ batch: Pick<Batch, 'firstLine'>; outcome: Promise<BatchOutcome> }>[] =
    []
  private readonly workers: CheckWorkers
  private readonly merger: Merger
  private readonly setup: CheckSetup
  private readonly ahead: number

  constructor(workers: CheckWorkers, merger: Merger, setup: CheckSetup, ahead: number) {
    this.workers = workers
    this.merger = merger
    this.setup = setup
    this.ahead = ahead
  }

  /** The number of lines so far. */
  get lines(): number {
    return this.line - 1
  }

  async take(piece: Piece): Promise<void> {
    const failure = this.begun ? undefined : inputFailure(piece.bytes)
    if (failure !== undefined) throw failure
    this.begun = true
    if (piece.kind === 'lines') await this.takeLines(piece.bytes)
    else await this.takeLongLine(piece)
  }

  async drain(downTo = 0): Promise<void> {
    while (this.underWay.length > downTo) {
      const next = this.underWay.shift()
      if (next !== undefined) await this.merger.add(next.batch, await next.outcome)
    }
  }

  private async takeLines(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const firstLine = this.line
    this.line += linesIn(bytes)
    const outcome = this.workers.check({ bytes, firstLine })
    // It is awaited when its turn comes; without this, Node would end the process if it failed before.
    outcome.catch(() => undefined)
    this.underWay.push({ batch: { firstLine }, outcome })
    await this.drain(this.ahead)
  }

  /** Its bytes go straight to the failed lines, after everything before it. */
  private async takeLongLine({ bytes, ends }: Extract<Piece, { kind: 'long line' }>): Promise<void> {
    await this.drain()
    await this.merger.addFailedBytes(bytes)
    if (!ends) return
    await this.merger.add({ firstLine: this.line }, tooLargeOutcome(this.line, this.setup))
    this.line += 1
  }
}

const checkAll = async (
  job: OfflineJob,
  outputs: Outputs,
  { input, progress, stop }: OfflineSurroundings,
): Promise<OfflineTotals> => {
  const source = await openSource(job.file, input)
  const metered = new Metered(source)
  const setup = { context: job.context, wants: outputs.wants }
  const workers = new CheckWorkers(job.workers, setup)
  const merger = new Merger(outputs)
  const pass = new Pass(workers, merger, setup, job.workers * aheadOfEach)
  const onStop = (): void => {
    const failure = new OfflineFailure('interrupted', 'Stopped before the end; no file was written.')
    workers.fail(failure)
    source.stop(failure)
  }
  stop.addEventListener('abort', onStop)
  progress.begin(source.size)
  try {
    if (stop.aborted) onStop()
    for await (const piece of pieces(unpacked(metered.chunks()), batchBytes)) {
      await pass.take(piece)
      progress.update(metered.bytes, merger.accounts)
    }
    await pass.drain()
    return { ...merger.outcome(), lines: pass.lines, bytes: metered.bytes, sha256: metered.sha256() }
  } finally {
    progress.end()
    stop.removeEventListener('abort', onStop)
    await workers.close()
  }
}

/**
 * Checks a file of accounts, one JSON account a line, by all that needs nothing but the account: the form of each field
 * and the rules over several. Writes what the job asks for. Memory does not depend on the size of the file, but for the
 * keys that `RepeatedKeys` remembers. Rejects with `OfflineFailure`; then no output has its name.
 */
export const runOffline = async (
  job: OfflineJob,
  surroundings: OfflineSurroundings,
): Promise<OfflineOutcome> => {
  const startedAt = new Date()
  const began = performance.now()
  const outputs = await Outputs.open(job.outputs)
  try {
    const totals = await checkAll(job, outputs, surroundings)
    const facts = { startedAt, seconds: (performance.now() - began) / 1000, workers: job.workers }
    await outputs.writeReport(() => reportPage({ job, totals, facts }))
    const written = await outputs.publish()
    return { totals, facts, written }
  } finally {
    await outputs.discard()
  }
}

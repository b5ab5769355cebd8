import {
  type Checker,
  FileFailure,
  type FileTotals,
  interrupted,
  type Pass,
  passOf,
  piecesOf,
  type Place,
  type RunFacts,
  type SourceRow,
  type Wants,
} from '@account-import/account-files'
import type { Readable } from 'node:stream'
import { conversion } from '../program-name.js'
import { openSource, Source } from './input/source.js'
import { type OutputPaths, Outputs, type Print, type Written } from './output/outputs.js'
import type { SourceRows } from './report/source-rows.js'

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

/**
 * Converted accounts in place of a file: their lines.
 *
 * - `sources`: returns the source rows of the next lines
 * - `places`: the texts of the source rows of these lines; called after the end of `content`
 * - `sourceRows`: the rows of each file that was converted
 * - `rejects`: the table of the rows with a fault
 */
export type Converted = Readonly<{
  content: Readable
  sources(lines: number): readonly SourceRow[]
  places(lines: readonly number[]): Promise<Place>
  sourceRows: readonly SourceRows[]
  rejects(): AsyncIterable<Uint8Array>
}>

/** A file of accounts, and how to process it. */
type FileRun = Pick<Pass, 'ahead' | 'choose' | 'tooLong'> &
  Readonly<{
    /** Path of the file, `-` for standard input. */
    file: string
    converted?: Converted | undefined
    /** Approximate bytes of a batch. */
    batchBytes: number
    outputs: OutputPaths
    checkerOf(wants: Wants): Checker
    /** Threads that check, or requests in flight; for the report. */
    workers: number
    report(totals: FileTotals, facts: RunFacts, place: Place | undefined): string
  }>

/**
 * Goes over all lines of a file. Memory does not depend on its size, but for the accounts that `FileChecks` remembers. Rejects with `FileFailure`, with the reason of `stop` where it is one.
 */
const passOver = async (
  run: FileRun,
  outputs: Outputs,
  { input, progress, stop }: Surroundings,
): Promise<FileTotals> => {
  const { file, converted } = run
  const checker = run.checkerOf(outputs.wants)
  const source = converted ? new Source(file, converted.content) : await openSource(file, input)
  const pass = passOf({
    ...run,
    wants: outputs.wants,
    checker,
    sources: converted && ((lines) => converted.sources(lines)),
    add: (outcome) => outputs.add(outcome),
    update: (accounts) => progress.update(accounts),
  })
  const onStop = (): void => {
    const failure = stop.reason instanceof FileFailure ? stop.reason : interrupted()
    checker.fail(failure)
    source.stop(failure)
  }
  stop.addEventListener('abort', onStop)
  progress.begin(source)
  try {
    if (stop.aborted) onStop()
    for await (const piece of piecesOf(source.content(), run.batchBytes, conversion())) {
      if (converted !== undefined) await outputs.add({ out: piece.bytes })
      await pass.take(piece)
    }
    return { ...(await pass.end()), bytes: source.bytes, sha256: source.sha256() }
  } finally {
    stop.removeEventListener('abort', onStop)
    await checker.close()
    progress.end()
  }
}

/** The lines that the totals name. */
const linesOf = ({ codes, heaviest, repeats, sharedPoints, warnings }: FileTotals): readonly number[] => [
  ...codes.flatMap(({ fields }) => fields.flatMap(({ examples }) => examples.map(({ line }) => line))),
  ...heaviest.map(({ line }) => line),
  ...[...repeats.examples, ...sharedPoints.examples].flatMap(({ line, firstLine }) => [line, firstLine]),
  ...warnings.flatMap(({ lines }) => lines),
]

/** The result of a run over a file. `place`: the source rows of the lines that the totals name, if the accounts were converted. */
export type FileOutcome = Readonly<{
  totals: FileTotals
  place: Place | undefined
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
    const place = await run.converted?.places(linesOf(totals))
    await outputs.writeReport(() => run.report(totals, facts, place))
    return { totals, place, facts, written: await outputs.publish() }
  } finally {
    await outputs.discard()
  }
}

import { setFlagsFromString } from 'node:v8'
import { once } from 'node:events'
import { styleText } from 'node:util'
import { exitCode } from './command.js'
import type { Program } from './program.js'
import { runCli } from './run-cli.js'

/** The severity at the beginning of a line, in its colour. */
const coloured = (text: string): string =>
  text
    .replaceAll(/^error(?= {2}|$)/gm, (word) => styleText('red', word))
    .replaceAll(/^warning(?= {2}|$)/gm, (word) => styleText('yellow', word))

/** Writes to a stream, in colours where it is a terminal that has them and NO_COLOR is not set. */
const writerTo = (stream: NodeJS.WriteStream): ((text: string) => void) =>
  stream.isTTY && stream.hasColors() ? (text) => stream.write(coloured(text)) : (text) => stream.write(text)

/** Runs a program as this process: with its arguments, its environment and its streams. */
export const runProcess = async (program: Program): Promise<void> => {
  // Files of this program contain keys and personal data: only their owner may read them.
  process.umask(0o077)
  let isLost = false
  let hasReader = true
  // Without this listener a failed write to stdout would end the process with a stack and the exit code of data with failures.
  // A closed pipe is no failure: readers such as `head` stop early.
  process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
    hasReader = false
    if (cause.code === 'EPIPE' || isLost) return
    isLost = true
    process.stderr.write(`The results cannot be written (${cause.code ?? cause.name}).\n`)
    // The error may come after the end of the command.
    process.exitCode = exitCode.environment
  })
  // A failed write to stderr cannot be reported.
  process.stderr.on('error', () => undefined)

  const drained = async (): Promise<boolean> => {
    // An error ends the wait too, and the listener above has handled it.
    if (hasReader && process.stdout.writableNeedDrain)
      await once(process.stdout, 'drain').catch(() => undefined)
    return hasReader
  }
  const code = await runCli(program, process.argv.slice(2), {
    environment: process.env,
    out: writerTo(process.stdout),
    drained,
    err: writerTo(process.stderr),
    ...(process.stderr.isTTY ? { terminal: process.stderr } : {}),
  })
  // Sets only the exit code, so that pending writes to stdout and stderr complete before the process ends.
  process.exitCode = isLost ? exitCode.environment : code
}

/**
 * Keeps the memory of a process near its live data: the heap grows by so many percent of them before V8 collects garbage in all of
 * it. By default V8 lets it grow to several times its live data on a machine with much memory. Less growth costs time.
 */
export const limitHeapGrowth = (percent: number): void =>
  setFlagsFromString(`--heap-growing-percent=${percent}`)

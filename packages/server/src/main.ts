#!/usr/bin/env node
import { once } from 'node:events'
import { exitCode } from './cli/command.js'
import { runCli } from './cli/run-cli.js'

// The files that this program makes hold keys and personal data: for their owner only.
process.umask(0o077)

/**
 * Output that cannot be written would end the process with a stack and the exit code of data that has failures. That the reader
 * stopped reading, as `head` does, is no failure: it has what it wanted.
 */
let isLost = false
let isTaken = true
process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
  isTaken = false
  if (cause.code === 'EPIPE' || isLost) return
  isLost = true
  process.stderr.write(`The results cannot be written (${cause.code ?? cause.name}).\n`)
  // This may come after the work has ended.
  process.exitCode = exitCode.environment
})
// When stderr is gone, nobody can be told.
process.stderr.on('error', () => undefined)

const drained = async (): Promise<boolean> => {
  // An error ends the wait too; the listener above has noted it.
  if (isTaken && process.stdout.writableNeedDrain) await once(process.stdout, 'drain').catch(() => undefined)
  return isTaken
}

const code = await runCli(process.argv.slice(2), {
  environment: process.env,
  out: (text) => process.stdout.write(text),
  drained,
  err: (text) => process.stderr.write(text),
  ...(process.stderr.isTTY ? { terminal: process.stderr } : {}),
})
// Only the exit code is set: what is still being written to stdout and stderr gets out before the process ends.
process.exitCode = isLost ? exitCode.environment : code

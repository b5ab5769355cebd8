import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { exitCode, type ExitCode } from '../command-result.js'

/** The streams of a process: results go to stdout, everything else to stderr. */
type Streams = Readonly<{ stdout: Writable; stderr: Writable }>

/** That the reader stopped reading, as `head` does, is no failure: it has what it wanted. */
const isReaderGone = (cause: NodeJS.ErrnoException): boolean => cause.code === 'EPIPE'

export type WatchedOutput = Readonly<{
  /** The exit code to end with, for that of the work: `environment` where results were lost, as on a full disk. */
  codeToEndWith: (code: ExitCode) => ExitCode
  /** Waits until what was written can be taken; false when nobody takes anything any more. */
  drained: () => Promise<boolean>
}>

/**
 * Watches for output that cannot be written, which would end the process with a stack and the exit code of data that
 * has failures. `lost` is called when results were lost, maybe after the work.
 */
export const watchOutput = ({ stdout, stderr }: Streams, lost: () => void): WatchedOutput => {
  let isLost = false
  let isTaken = true as boolean
  stdout.on('error', (cause: NodeJS.ErrnoException) => {
    isTaken = false
    if (isReaderGone(cause) || isLost) return
    isLost = true
    stderr.write(`The results cannot be written (${cause.code ?? cause.name}).\n`)
    lost()
  })
  // When stderr is gone, nobody can be told.
  stderr.on('error', () => undefined)
  return {
    codeToEndWith: (code) => (isLost ? exitCode.environment : code),
    drained: async () => {
      // An error ends the wait too; the listener above has noted it.
      if (isTaken && stdout.writableNeedDrain) await once(stdout, 'drain').catch(() => undefined)
      return isTaken
    },
  }
}

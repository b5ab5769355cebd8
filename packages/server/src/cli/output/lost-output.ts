import { exitCode, type ExitCode } from '../exit-code.js'

/** The streams of a process that its results and its words go to. */
type Streams = Readonly<{ stdout: NodeJS.WritableStream; stderr: NodeJS.WritableStream }>

/** That somebody stopped reading, as `head` does, is no failure: they have what they wanted. */
const isReaderGone = (cause: NodeJS.ErrnoException): boolean => cause.code === 'EPIPE'

/**
 * Watches for output that cannot be written, which would end the process with a stack and the exit code of data that
 * has failures. The answer gives the exit code to end with, for that of the work: `environment` where results were
 * lost, for example on a full disk. `lost` is called when that happens, maybe after the work.
 */
export const watchOutput = (
  { stdout, stderr }: Streams,
  lost: () => void,
): ((code: ExitCode) => ExitCode) => {
  let isLost = false
  stdout.on('error', (cause: NodeJS.ErrnoException) => {
    if (isReaderGone(cause) || isLost) return
    isLost = true
    stderr.write(`The results cannot be written (${cause.code ?? cause.name}).\n`)
    lost()
  })
  // There is nobody left to tell.
  stderr.on('error', () => undefined)
  return (code) => (isLost ? exitCode.environment : code)
}

import { exitCode } from '../command-result.js'

const codes = { SIGINT: exitCode.interrupted, SIGTERM: exitCode.terminated } as const
type Code = (typeof codes)[keyof typeof codes]

/**
 * Runs work that can be stopped: the first SIGINT or SIGTERM aborts it, so that it can clean up; a second one ends
 * the process as if nobody listened. `stopCode` is the exit code after a signal.
 */
export const stoppable = async <A>(
  work: (stop: AbortSignal, stopCode: () => Code) => Promise<A>,
): Promise<A> => {
  const controller = new AbortController()
  let code: Code = exitCode.interrupted
  const onSignal = (signal: NodeJS.Signals): void => {
    forget()
    code = signal === 'SIGTERM' ? codes.SIGTERM : codes.SIGINT
    controller.abort()
  }
  const forget = (): void => {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  try {
    return await work(controller.signal, () => code)
  } finally {
    forget()
  }
}

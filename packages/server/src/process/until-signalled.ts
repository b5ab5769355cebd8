type Environment = Readonly<Record<string, string | undefined>>

const signals = { SIGINT: 2, SIGTERM: 15 } as const
type Signal = keyof typeof signals

const names = Object.keys(signals) as readonly Signal[]

/** The exit code that a shell reports for a process that a signal ended. */
const codeOf = (signal: Signal): number => 128 + signals[signal]

const lookMilliseconds = 500

/** The parent of this process; another process adopts it once the parent has ended. */
const parent = process.ppid

/**
 * npm and npx run what they start in a shell, and pass no signal on: when they are ended, a server is left over that nobody
 * knows of. Calls back when the process that started this one is gone; a Ctrl-C reaches both, and counts as a signal.
 */
const watchNpm = (environment: Environment, gone: () => void): (() => void) => {
  if (environment['npm_command'] === undefined) return () => undefined
  const timer = setInterval(() => {
    if (process.ppid !== parent) gone()
  }, lookMilliseconds)
  return () => clearInterval(timer)
}

/**
 * Resolves at the first SIGINT or SIGTERM, and as at SIGTERM when npm started this process and is gone; a second signal ends
 * the process at once, whatever it is doing.
 */
export const untilSignalled = (environment: Environment): Promise<Signal> =>
  new Promise((resolve) => {
    const first = (signal: Signal): void => {
      forget()
      for (const name of names) {
        process.off(name, first)
        process.on(name, () => process.exit(codeOf(name)))
      }
      resolve(signal)
    }
    const forget = watchNpm(environment, () => first('SIGTERM'))
    for (const name of names) process.on(name, first)
  })

const signals = { SIGINT: 2, SIGTERM: 15 } as const
type Signal = keyof typeof signals

const names = Object.keys(signals) as readonly Signal[]

/** What a shell reports for a process that a signal ended. */
const codeOf = (signal: Signal): number => 128 + signals[signal]

/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once, whatever it is doing. */
export const untilSignalled = (): Promise<Signal> =>
  new Promise((resolve) => {
    const first = (signal: Signal): void => {
      for (const name of names) {
        process.off(name, first)
        process.on(name, () => process.exit(codeOf(name)))
      }
      resolve(signal)
    }
    for (const name of names) process.on(name, first)
  })

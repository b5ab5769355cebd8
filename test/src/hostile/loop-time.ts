import { readFileSync } from 'node:fs'

const schedule = `/proc/self/task/${process.pid}/schedstat`

/** The time of a processor that this thread has taken, where the system tells; else that of the whole process. */
export const threadMilliseconds = (): number => {
  try {
    return Number(readFileSync(schedule, 'utf8').split(' ')[0]) / 1_000_000
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}

/**
 * Runs something at once, and tells how many milliseconds of a processor the event loop spent on it: not those that
 * other processes took from it meanwhile, nor those of the helpers that collect garbage and compile beside it.
 */
export const timeOnLoop = <A>(run: () => A): Readonly<{ result: A; milliseconds: number }> => {
  const before = threadMilliseconds()
  const result = run()
  return { result, milliseconds: threadMilliseconds() - before }
}

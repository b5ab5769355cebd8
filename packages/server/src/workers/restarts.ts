/** How often something may be started again. */
export type Restarts = Readonly<{
  /** Milliseconds to wait before the next start, longer each time; undefined when it has ended too often of late. */
  next(): number | undefined
}>

const mostInAWhile = 5
const whileMilliseconds = 60_000
const leastPause = 100

export const createRestarts = (now: () => number = () => performance.now()): Restarts => {
  let ends: readonly number[] = []
  return {
    next: () => {
      const end = now()
      ends = [...ends.filter((at) => at > end - whileMilliseconds), end]
      return ends.length > mostInAWhile ? undefined : leastPause * 2 ** ends.length
    },
  }
}

import { withinTime } from '@account-import/core/adapter-kit'

export type SharedCheckOptions<A> = Readonly<{
  /** For how long an answer is given again, milliseconds. */
  keepMilliseconds: number
  /** How long a caller waits at most, milliseconds. */
  limitMilliseconds: number
  /** After which a check that has not ended is taken for lost, and another may begin, milliseconds. */
  lostMilliseconds: number
  /** What is answered while a check takes longer than the limit. */
  late: A
}>

type Run<A> = Readonly<{ value: Promise<A>; since: number }>

/**
 * A check that many may ask for: one runs at a time, and what it finds is answered to all for a while. While a check
 * hangs, no other one begins; callers wait for the limit at most, and once that has passed not at all. If a check
 * rejects, so do the calls that wait for it.
 */
export const sharedCheck = <A>(
  check: () => Promise<A>,
  options: SharedCheckOptions<A>,
): (() => Promise<A>) => {
  const { keepMilliseconds, limitMilliseconds, lostMilliseconds, late } = options
  let last: Readonly<{ value: A; at: number }> | undefined
  let running: Run<A> | undefined

  const begin = (since: number): Run<A> => {
    const value = check().then((found) => {
      last = { value: found, at: performance.now() }
      return found
    })
    const run: Run<A> = { value, since }
    const ended = (): void => {
      if (running === run) running = undefined
    }
    value.then(ended, ended)
    return run
  }

  return async () => {
    const now = performance.now()
    if (last !== undefined && now - last.at < keepMilliseconds) return last.value
    if (running === undefined || now - running.since > lostMilliseconds) running = begin(now)
    const left = running.since + limitMilliseconds - now
    if (left <= 0) return late
    const { value } = running
    return withinTime(
      left,
      () => value,
      () => late,
    )
  }
}

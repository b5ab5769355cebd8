import { setTimeout } from 'node:timers/promises'

/** Resolves when the condition is true; an exception counts as false. Rejects after the time. */
export const until = async (
  condition: () => Promise<boolean>,
  what: string,
  mostMilliseconds = 60_000,
): Promise<void> => {
  const begun = performance.now()
  let latest: unknown
  while (performance.now() - begun < mostMilliseconds) {
    try {
      if (await condition()) return
    } catch (cause) {
      latest = cause
    }
    await setTimeout(50)
  }
  throw new Error(`${what}: not within ${mostMilliseconds} ms`, { cause: latest })
}

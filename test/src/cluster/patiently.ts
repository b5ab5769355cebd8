import { setTimeout } from 'node:timers/promises'

/**
 * Does what needs all nodes, once more after each failure: a machine that is busy lets a node that is not seen for seconds leave
 * its cluster, and come back. What still fails after the time fails.
 */
export const patiently = async <A>(work: () => Promise<A>, mostMilliseconds = 60_000): Promise<A> => {
  const begun = performance.now()
  for (;;)
    try {
      return await work()
    } catch (cause) {
      if (performance.now() - begun > mostMilliseconds) throw cause
      await setTimeout(200)
    }
}

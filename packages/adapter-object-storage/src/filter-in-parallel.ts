import { setMaxListeners } from 'node:events'
import type { Slots } from '@account-import/core/adapter-kit'

/** Documents of one organisation that may wait to be asked for; its further calls fail as `unavailable`. */
export const mostWaiting = 4096

/**
 * Those that pass the test, in any order; each test runs in one of the slots, in the turn of the
 * organisation. When one rejects, or the signal is
 * given, no new one begins.
 */
export const filterInParallel = async <A>(
  items: readonly A[],
  slots: Slots,
  organisation: string,
  test: (item: A) => Promise<boolean>,
  signal: AbortSignal,
): Promise<readonly A[]> => {
  const passed: A[] = []
  const failed = new AbortController()
  const ended = AbortSignal.any([signal, failed.signal])
  // Every worker that waits for a slot listens to it; Node would warn of more than ten listeners.
  setMaxListeners(slots.most, ended)
  const testOne = async (item: A): Promise<void> => {
    try {
      if (await test(item)) passed.push(item)
    } catch (thrown) {
      // Before the slot is given back, so that no other test of this call begins in it.
      failed.abort(thrown)
      throw thrown
    }
  }
  // All workers take from one generator, which a worker that throws closes for the others.
  const waiting = each(items)
  const work = async (): Promise<void> => {
    for (const item of waiting) await slots.run(organisation, ended, () => testOne(item))
  }
  await Promise.all(Array.from({ length: Math.min(slots.most, items.length) }, work))
  return passed
}

function* each<A>(items: readonly A[]): Generator<A> {
  yield* items
}

import { inBatches } from '@account-import/core/adapter-kit'
import { isAway } from '../failures/failure-kind.js'
import type { Session } from '../session/session.js'

/** Keys that are asked for by one call at most. */
const most = 64

/**
 * Lets those who ask at one moment share a read, which is what most requests under load do; each key is asked for
 * once. Each gets a read that began after it asked, so the answer is as fresh as one of its own. `nameOf` gives
 * different texts for different keys; `read` answers for each of the keys, in their order.
 */
export const joinedReads = <Key, Found>(
  { dialect, onBatch }: Session,
  nameOf: (key: Key) => string,
  read: (keys: readonly Key[]) => Promise<readonly Found[]>,
): ((key: Key) => Promise<Found>) => {
  const readDistinct = async (keys: readonly Key[]): Promise<readonly Found[]> => {
    const distinct = new Map(keys.map((key) => [nameOf(key), key]))
    const found = await read([...distinct.values()])
    const indexes = new Map([...distinct.keys()].map((name, index) => [name, index]))
    return keys.map((key) => found[indexes.get(nameOf(key)) as number] as Found)
  }
  return inBatches(readDistinct, {
    parallel: dialect.parallelBatches,
    next: (waiting) => [...waiting.keys()].slice(0, most),
    isAway,
    onBatch: (size) => onBatch?.({ work: 'read', size }),
  })
}

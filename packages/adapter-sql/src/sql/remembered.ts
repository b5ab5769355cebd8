import { Recent } from '@account-import/core/adapter-kit'

const mostMilliseconds = 1000
const mostValues = 1000

/** A read, and `recent`, which returns what it found within the last second, or undefined. */
export const remembered = <Key extends readonly string[], Found>(find: (...key: Key) => Promise<Found>) => {
  const known = new Recent<Readonly<{ found: Found; since: number }>>(mostValues)
  return {
    find: async (...key: Key): Promise<Found> => {
      const since = performance.now()
      const found = await find(...key)
      known.set(JSON.stringify(key), { found, since })
      return found
    },
    recent: async (...key: Key): Promise<Found | undefined> => {
      const last = known.get(JSON.stringify(key))
      return last !== undefined && performance.now() - last.since < mostMilliseconds ? last.found : undefined
    },
  }
}

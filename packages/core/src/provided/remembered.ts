import { Recent } from '../concurrency/recent.js'
import { E, pipe } from '../fp.js'
import type { Clock } from '../ports/secrets.js'
import type { Documents } from '../ports/documents.js'
import { type Instant, plusSeconds } from '../values/instant.js'

/**
 * Caches the keys of documents that were found: an account that is validated, corrected and staged names the same documents each
 * time. A missing document is not cached, as it may be uploaded at any time, and a failure is not cached either.
 * `lifetimeSeconds`: the time for which a found document is cached, 60 when absent; `mostEntries`: the size of the cache, 10,000
 * when absent.
 */
export const rememberedDocuments = (
  documents: Documents,
  clock: Clock,
  {
    lifetimeSeconds = 60,
    mostEntries = 10_000,
  }: Readonly<{ lifetimeSeconds?: number; mostEntries?: number }> = {},
): Documents => {
  const foundAt = new Recent<Instant>(mostEntries)

  /** False also for a key that was found later than now, after the clock was set back. */
  const isFresh = (key: string, now: Instant): boolean => {
    const at = foundAt.get(key)
    return at !== undefined && at <= now && now < plusSeconds(at, lifetimeSeconds)
  }

  return {
    existing: async (keys, organisation) => {
      const now = clock.now()
      const known: ReadonlySet<string> = new Set(keys.filter((key) => isFresh(key, now)))
      const unknown = keys.filter((key) => !known.has(key))
      if (unknown.length === 0 && known.size > 0) return E.right(known)
      return pipe(
        await documents.existing(unknown, organisation),
        E.map((found) => {
          for (const key of found) foundAt.set(key, now)
          return new Set([...known, ...found])
        }),
      )
    },
    ready: () => documents.ready(),
  }
}

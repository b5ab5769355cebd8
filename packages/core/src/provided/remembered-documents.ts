import { pipe, TE } from '../fp.js'
import type { Clock } from '../ports/clock.js'
import type { Documents } from '../ports/documents.js'
import { plusSeconds, type Instant } from '../values/instant.js'

export type RememberedDocumentsOptions = Readonly<{
  /** Seconds for which a document that was found is taken to be there; 60 when absent. */
  lifetimeSeconds?: number
  /** Documents remembered at most, the latest found; 10,000 when absent. */
  mostEntries?: number
}>

/**
 * Remembers for a minute the keys of documents that were found: an account that is validated, corrected and staged
 * names the same documents each time. A document that was missing is asked for every time, as it may have been
 * uploaded since. Failures are not remembered either.
 */
export const rememberedDocuments = (
  documents: Documents,
  clock: Clock,
  { lifetimeSeconds = 60, mostEntries = 10_000 }: RememberedDocumentsOptions = {},
): Documents => {
  const foundAt = new Map<string, Instant>()

  /** False also for what was found later than now, which happens when the clock was put back. */
  const isFresh = (key: string, now: Instant): boolean => {
    const at = foundAt.get(key)
    return at !== undefined && at <= now && now < plusSeconds(at, lifetimeSeconds)
  }

  const remember = (keys: ReadonlySet<string>, at: Instant): void => {
    for (const key of keys) {
      foundAt.delete(key)
      foundAt.set(key, at)
    }
    for (const oldest of foundAt.keys()) {
      if (foundAt.size <= mostEntries) return
      foundAt.delete(oldest)
    }
  }

  const parted = (keys: readonly string[]) => {
    const now = clock.now()
    const known = new Set(keys.filter((key) => isFresh(key, now)))
    return { now, known, unknown: keys.filter((key) => !known.has(key)) }
  }

  return {
    existing: (keys, organisation) =>
      pipe(
        TE.fromIO(() => parted(keys)),
        TE.flatMap(({ now, known, unknown }) =>
          unknown.length === 0 && known.size > 0
            ? TE.right(known)
            : pipe(
                documents.existing(unknown, organisation),
                TE.tapIO((found) => () => remember(found, now)),
                TE.map((found): ReadonlySet<string> => new Set([...known, ...found])),
              ),
        ),
      ),
    ready: () => documents.ready(),
  }
}

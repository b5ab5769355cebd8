import { pipe, TE } from '../fp.js'
import type { Clock } from '../ports/clock.js'
import type { Documents } from '../ports/documents.js'
import { plusSeconds, type Instant } from '../values/instant.js'

export type RememberedDocumentsOptions = Readonly<{
  /** For how long a document that was found is taken to be there, seconds; 60 when absent. */
  lifetimeSeconds?: number
  /** Documents remembered at most, the latest found; 10,000 when absent. */
  mostEntries?: number
}>

/**
 * The documents of the port; one that was found is not asked for again for a minute, by its full key. An account that is
 * validated, corrected and staged names the same documents each time. What was missing is always asked for: it may
 * have been uploaded since. A failure is not remembered either.
 */
export const rememberedDocuments = (
  documents: Documents,
  clock: Clock,
  { lifetimeSeconds = 60, mostEntries = 10_000 }: RememberedDocumentsOptions = {},
): Documents => {
  const foundAt = new Map<string, Instant>()

  /** A clock that was put back ends what seems to have been found later. */
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
    existing: (keys) =>
      pipe(
        TE.fromIO(() => parted(keys)),
        TE.flatMap(({ now, known, unknown }) =>
          unknown.length === 0 && known.size > 0
            ? TE.right(known)
            : pipe(
                documents.existing(unknown),
                TE.tapIO((found) => () => remember(found, now)),
                TE.map((found): ReadonlySet<string> => new Set([...known, ...found])),
              ),
        ),
      ),
    ready: () => documents.ready(),
  }
}

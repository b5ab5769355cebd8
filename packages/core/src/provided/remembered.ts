import { Recent } from '../concurrency/recent.js'
import { pipe, TE } from '../fp.js'
import type { Clock } from '../ports/secrets.js'
import type { Documents } from '../ports/documents.js'
import type { FoundSupplier, ImportSuppliers } from '../ports/registers.js'
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
                TE.tapIO((found) => () => found.forEach((key) => foundAt.set(key, now))),
                TE.map((found): ReadonlySet<string> => new Set([...known, ...found])),
              ),
        ),
      ),
    ready: () => documents.ready(),
  }
}

/** Bounded, as few suppliers migrate at a time, and settings can be long. */
const mostSuppliers = 100

/**
 * Reads suppliers and caches them. A supplier of `known` may have changed since, on any server: a decision by it has to be
 * confirmed by a check of its revision, or by another read.
 */
type RememberedSuppliers = Pick<ImportSuppliers, 'find'> &
  Readonly<{ known(organisation: string, code: string): FoundSupplier | undefined }>

const nameOf = (organisation: string, code: string): string => `${organisation}\u0000${code}`

export const rememberedSuppliers = (importSuppliers: Pick<ImportSuppliers, 'find'>): RememberedSuppliers => {
  const entries = new Recent<FoundSupplier>(mostSuppliers)
  return {
    known: (organisation, code) => entries.get(nameOf(organisation, code)),
    find: (organisation, code) =>
      pipe(
        importSuppliers.find(organisation, code),
        TE.tapIO((found) => () => {
          if (found !== undefined) entries.set(nameOf(found.organisation, found.code), found)
        }),
      ),
  }
}

import { Recent } from '../concurrency/recent.js'
import { pipe, TE } from '../fp.js'
import type { AccessTokens, VerifiedToken } from '../ports/access-tokens.js'
import type { Clock } from '../ports/clock.js'
import type { Documents } from '../ports/documents.js'
import type { FoundSupplier, ImportSuppliers } from '../ports/import-suppliers.js'
import type { PortResult } from '../ports/port-failure.js'
import { type Instant, plusSeconds } from '../values/instant.js'

const lifetimeSeconds = 30
const mostEntries = 10_000

/**
 * Answers as they were at most 30 seconds ago, so that checking a token seldom asks a store. A revocation is seen within these
 * 30 seconds; clients are promised 60. When the store cannot be asked after that, nobody is let in. `undefined` is not
 * remembered.
 */
export const shortlyRemembered = <A>(
  ask: (key: string) => PortResult<A>,
  clock: Clock,
): ((key: string) => PortResult<A>) => {
  const entries = new Recent<Readonly<{ answer: A; until: Instant }>>(mostEntries)
  return (key) => {
    const now = clock.now()
    const known = entries.get(key)
    if (known !== undefined && known.until > now) return TE.right(known.answer)
    // From before the store was asked: however long it takes, its answer is no younger than that.
    const until = plusSeconds(now, lifetimeSeconds)
    return pipe(
      ask(key),
      TE.tapIO((answer) => () => {
        if (answer !== undefined) entries.set(key, { answer, until })
      }),
    )
  }
}

/**
 * Verifies the signature of a token the first time, after that only its expiry: a client sends the same token with
 * thousands of requests, and a right signature stays right. Tokens that were refused are not remembered.
 */
export const rememberedAccessTokens = (accessTokens: AccessTokens): AccessTokens => {
  const known = new Recent<Extract<VerifiedToken, { _tag: 'verified' }>>(mostEntries)
  return {
    ...accessTokens,
    verify: (token, at) => {
      const verified = known.get(token)
      if (verified !== undefined && verified.claims.expiresAt > at) return TE.right(verified)
      return pipe(
        accessTokens.verify(token, at),
        TE.tapIO((result) => () => {
          if (result._tag === 'verified') known.set(token, result)
        }),
      )
    },
  }
}

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
  const foundAt = new Recent<Instant>(mostEntries)

  /** False also for what was found later than now, which happens when the clock was put back. */
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

/** Few suppliers migrate at a time, and settings can be long. */
const mostSuppliers = 100

/**
 * Reads suppliers and remembers what was read last. `known` may have changed since, on any server: what is decided by it
 * has to hang on its revision, or on another read.
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

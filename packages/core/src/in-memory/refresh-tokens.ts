import { portCall } from '../ports/port-failure.js'
import type { RefreshTokenFamily, RefreshTokens } from '../ports/refresh-tokens.js'
import { compareCodePoints } from '../values/compare-code-points.js'
import type { Instant } from '../values/instant.js'

/** How many families a call looks at to remove them: few, so that no call takes long. */
const mostPurged = 20

/** Removes what has come to its end among those rows that have been there longest. */
const purge = <Row>(rows: Map<string, Row>, endOf: (row: Row) => Instant, at: Instant): void => {
  let seen = 0
  for (const [hash, row] of rows) {
    if (endOf(row) < at) rows.delete(hash)
    seen += 1
    if (seen === mostPurged) return
  }
}

/** The families of a key apart from one, those first that end last. */
const othersOf = (
  rows: ReadonlyMap<string, RefreshTokenFamily>,
  { apiKeyId, hash }: RefreshTokenFamily,
): readonly RefreshTokenFamily[] =>
  [...rows.values()]
    .filter((row) => row.apiKeyId === apiKeyId && row.hash !== hash)
    .sort((left, right) => compareCodePoints(right.endsAt, left.endsAt))

export const inMemoryRefreshTokens = (): RefreshTokens => {
  const rows = new Map<string, RefreshTokenFamily>()
  /** Until when it is known of each family that it was ended. */
  const ended = new Map<string, Instant>()
  const call = portCall('refreshTokens')
  return {
    begin: (family, at, mostOthers) =>
      call('begin', async () => {
        purge(rows, ({ expiresAt }) => expiresAt, at)
        purge(ended, (until) => until, at)
        rows.set(family.hash, family)
        for (const { hash } of othersOf(rows, family).slice(mostOthers)) rows.delete(hash)
      }),
    find: (hash) => call('find', async () => rows.get(hash)),
    follow: (hash, secretHash, next) =>
      call('follow', async () => {
        const found = rows.get(hash)
        if (found?.secretHash !== secretHash) return false
        rows.set(hash, { ...found, ...next })
        return true
      }),
    end: (hash, until) =>
      call('end', async () => {
        if (rows.delete(hash)) ended.set(hash, until)
      }),
    hasEnded: (hash) => call('hasEnded', async () => ended.has(hash)),
  }
}

import { compareCodePoints } from '../values/compare-code-points.js'
import type { Instant } from '../values/instant.js'
import { isInProgress, type AccountImport } from './account-import.js'

/** How many imports of a state there are with one latest failure. Each import is in one state. */
export type CountedImports = Readonly<{
  /** `in_progress`: under a live claim. */
  state: 'staged' | 'in_progress' | 'created' | 'skipped'
  failure: string | undefined
  count: number
}>

/** The imports of a supplier, counted. */
export type ImportSummary = Readonly<{
  staged: number
  inProgress: number
  created: number
  /** Marked by the operator, also those of which nothing was staged. */
  skipped: number
  /** Those of `staged` whose last attempt failed. */
  failed: number
  /** How many of `failed` have each code: the most frequent first, then by code. They add up to `failed`. */
  errors: readonly Readonly<{ code: string; count: number }>[]
}>

const stateAt = (accountImport: AccountImport, at: Instant): CountedImports['state'] | undefined => {
  if (accountImport.created !== undefined) return 'created'
  if (accountImport.skipped) return 'skipped'
  if (accountImport.stagedVersion === 0) return undefined
  return isInProgress(accountImport, at) ? 'in_progress' : 'staged'
}

/** A group of one import; none for one that is known only because it was once marked to be skipped. */
export const countedImport = (accountImport: AccountImport, at: Instant): readonly CountedImports[] => {
  const state = stateAt(accountImport, at)
  return state === undefined ? [] : [{ state, failure: accountImport.latestFailure?.code, count: 1 }]
}

const sum = (groups: readonly CountedImports[]): number =>
  groups.reduce((total, { count }) => total + count, 0)

/** The summary of what was counted in groups, of which several may be alike. */
export const summaryOf = (groups: readonly CountedImports[]): ImportSummary => {
  const inState = (state: CountedImports['state']): readonly CountedImports[] =>
    groups.filter((group) => group.state === state)
  const counts = new Map<string, number>()
  for (const { failure, count } of inState('staged'))
    if (failure !== undefined && count > 0) counts.set(failure, (counts.get(failure) ?? 0) + count)
  const errors = [...counts].map(([code, count]) => ({ code, count }))
  return {
    staged: sum(inState('staged')),
    inProgress: sum(inState('in_progress')),
    created: sum(inState('created')),
    skipped: sum(inState('skipped')),
    failed: errors.reduce((total, { count }) => total + count, 0),
    errors: errors.sort((a, b) => b.count - a.count || compareCodePoints(a.code, b.code)),
  }
}

import { compareCodePoints } from '../values/compare-code-points.js'
import type { Instant } from '../values/instant.js'
import type { AccountKey } from './account-key.js'

/** The last attempt to process an import that failed. */
export type FailedAttempt = Readonly<{ code: string; occurredAt: Instant }>

/** The facts in an import about the account that was created from it. */
export type CreatedAccount = Readonly<{
  platformAccountNumber: string
  createdAt: Instant
  /** The version of the staged data that the account was created from. */
  stagedVersion: number
}>

/** The right to create the account of one import, until it expires. */
export type Claim = Readonly<{ token: string; expiresAt: Instant }>

/**
 * The process of one pair of supplier code and external account number (docs/reference/api.md#states).
 *
 * `stagedVersion` counts the stagings, 0 when the import is known only because the operator marked it to be
 * skipped.
 */
export type AccountImport = Readonly<{
  key: AccountKey
  stagedVersion: number
  skipped: boolean
  claim: Claim | undefined
  attempts: number
  latestFailure: FailedAttempt | undefined
  created: CreatedAccount | undefined
}>

/** A claim that has not expired: the account is being created now. */
export const isInProgress = (accountImport: AccountImport, now: Instant): boolean =>
  accountImport.created === undefined &&
  accountImport.claim !== undefined &&
  accountImport.claim.expiresAt > now

/** Why an account can be neither staged nor claimed now. The first that applies, in this order. */
export type ImportRefusal =
  | Readonly<{ _tag: 'already_imported'; platformAccountNumber: string }>
  | Readonly<{ _tag: 'in_progress' }>
  | Readonly<{ _tag: 'marked_to_skip' }>

export const refusalOf = (accountImport: AccountImport, now: Instant): ImportRefusal | undefined => {
  if (accountImport.created !== undefined)
    return { _tag: 'already_imported', platformAccountNumber: accountImport.created.platformAccountNumber }
  if (isInProgress(accountImport, now)) return { _tag: 'in_progress' }
  return accountImport.skipped ? { _tag: 'marked_to_skip' } : undefined
}

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

import type { FieldError } from '../codec/findings.js'
import { compareCodePoints } from '../values/compare.js'
import type { Instant } from '../values/instant.js'

/**
 * The identity of one account import: the pair (import supplier code, external account number) of one
 * organisation. Compared exactly: case, accents, width and outer spaces matter.
 */
export type AccountKey = Readonly<{
  organisation: string
  importSupplier: string
  externalAccountNumber: string
}>

/** One string per key, for maps: the parts are joined by a character that no identifier may contain. */
export const accountKeyText = (key: AccountKey): string =>
  `${key.organisation}\u0000${key.importSupplier}\u0000${key.externalAccountNumber}`

/** The warnings about staged data that is valid. */
export type StagedWarnings = readonly FieldError[]

/** The last attempt to process an import that failed. */
export type FailedAttempt = Readonly<{ code: string; occurredAt: Instant }>

/** The account that was created from an import. */
export type CreatedAccount = Readonly<{
  platformAccountNumber: string
  createdAt: Instant
  /** The version of the staged data that the account was created from. */
  stagedVersion: number
}>

/** The exclusive right to create the account of one import, until it expires. */
export type Claim = Readonly<{ token: string; expiresAt: Instant }>

/**
 * The import of one account (docs/reference/api.md#states).
 *
 * `stagedVersion` counts the stagings; it is 0 for an import that exists only because the operator marked it to be skipped.
 */
export type AccountImport = Readonly<{
  key: AccountKey
  stagedVersion: number
  skipped: boolean
  claim: Claim | undefined
  attempts: number
  latestFailure: FailedAttempt | undefined
  created: CreatedAccount | undefined
  /** The run that staged its data last; absent if none did. */
  importRun?: string | undefined
  /** The run that created its account; absent if none did. */
  createdInRun?: string | undefined
}>

/**
 * Whether there is an import. A store may keep the row of one without data, account and mark: it was undone, or its mark was removed.
 */
export const isImport = ({ stagedVersion, skipped, created }: AccountImport): boolean =>
  stagedVersion > 0 || skipped || created !== undefined

/** A claim that has not expired: the account is being created now. */
export const isInProgress = (accountImport: AccountImport, now: Instant): boolean =>
  accountImport.created === undefined &&
  accountImport.claim !== undefined &&
  accountImport.claim.expiresAt > now

/** Why an account can be neither staged nor claimed now: the first reason that applies, in this order. */
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

/** The number of imports of a state with one latest failure. Each import is in one state. */
export type CountedImports = Readonly<{
  /** `in_progress`: under a live claim. */
  state: 'staged' | 'in_progress' | 'created' | 'skipped'
  failure: string | undefined
  count: number
}>

/** Counts of the imports of a supplier. */
export type ImportSummary = Readonly<{
  staged: number
  inProgress: number
  created: number
  /** Marked by the operator, also without staged data. */
  skipped: number
  /** Those of `staged` whose last attempt failed. */
  failed: number
  /** The number of `failed` for each code: the most frequent first, then by code. They add up to `failed`. */
  errors: readonly Readonly<{ code: string; count: number }>[]
}>

const stateAt = (accountImport: AccountImport, at: Instant): CountedImports['state'] => {
  if (accountImport.created !== undefined) return 'created'
  if (accountImport.skipped) return 'skipped'
  return isInProgress(accountImport, at) ? 'in_progress' : 'staged'
}

/** A group of one import. */
export const countedImport = (accountImport: AccountImport, at: Instant): CountedImports => ({
  state: stateAt(accountImport, at),
  failure: accountImport.latestFailure?.code,
  count: 1,
})

const sum = (groups: readonly CountedImports[]): number =>
  groups.reduce((total, { count }) => total + count, 0)

/** The summary of counted groups; several may have the same state and failure. */
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

/**
 * Why an account is kept. `not_created`: there is no created account; `has_additions`: it has additions, and they are not to be
 * removed; `erased`: its personal data was erased, and the rest is the evidence of that; `email_being_sent`: retry in a minute;
 * `changed`: it changed since the preview; `refused_by_platform`: the platform that embeds the service uses it already.
 */
export const undoRefusals = [
  'not_created',
  'has_additions',
  'erased',
  'email_being_sent',
  'changed',
  'refused_by_platform',
] as const
export type UndoRefusal = (typeof undoRefusals)[number]

/** An account that can be undone. `additions`: the number of additions since it was created. */
export type UndoableAccount = Readonly<{ platformAccountNumber: string; additions: number }>

/** The outcome for one account: undone (in a preview: can be undone), or why it is kept. */
export type UndoOutcome =
  | Readonly<{ _tag: 'undoable' } & UndoableAccount>
  | Readonly<{ _tag: 'kept'; reason: UndoRefusal }>

const kept = (reason: UndoRefusal): UndoOutcome => ({ _tag: 'kept', reason })

/** Whether a created account can be undone; `found` is undefined if there is none. */
export const undoOutcome = (
  found: (UndoableAccount & Readonly<{ isErased: boolean; isEmailBeingSent: boolean }>) | undefined,
  withAdditions: boolean,
): UndoOutcome => {
  if (found === undefined) return kept('not_created')
  const { platformAccountNumber, additions, isErased, isEmailBeingSent } = found
  if (isErased) return kept('erased')
  if (isEmailBeingSent) return kept('email_being_sent')
  if (additions > 0 && !withAdditions) return kept('has_additions')
  return { _tag: 'undoable', platformAccountNumber, additions }
}

/** The outcome, or `changed` if the account differs from the preview; `previewed` is undefined for an account to be kept. */
export const asPreviewed = (found: UndoOutcome, previewed: UndoableAccount | undefined): UndoOutcome =>
  found._tag === 'kept' ||
  (found.platformAccountNumber === previewed?.platformAccountNumber &&
    found.additions === previewed.additions)
    ? found
    : kept('changed')

import { type Instant, instantOf } from '@account-import/core'
import type { AccountRow } from '../ports/accounts.js'
import type { ImportState } from '../ports/import-rows.js'
import { toSqlInstant } from '../sql/rows.js'
import type { VerifiedEmail, VerifiedImport } from './account-rows.js'
import type { BreakKind } from './break-kinds.js'

/** The kind of a break, where there is one. */
export type Kind = BreakKind | false

const areNull = (...values: readonly unknown[]): boolean => values.every((value) => value === null)

const isPartial = (...values: readonly unknown[]): boolean => values.includes(null) && !areNull(...values)

const isCreated = (row: VerifiedImport): boolean => row.platform_account_number !== null

const stateOf = (row: VerifiedImport): ImportState => {
  if (isCreated(row)) return 'created'
  if (row.skipped) return 'skipped'
  return row.staged_version > 0 ? 'staged' : 'none'
}

const hour = 3_600_000
const differenceOfClocks = hour / 10

/** When the last of the claims ends that may have been taken until now: an hour is the longest that can be set. */
export const latestClaimEnd = (now: Instant): string =>
  toSqlInstant(instantOf(Date.parse(now) + hour + differenceOfClocks))

/** Far longer than anybody who still works on an account. */
const longAgo = (now: Instant): string => toSqlInstant(instantOf(Date.parse(now) - 24 * hour))

const claimBreak = (row: VerifiedImport, now: Instant): Kind => {
  const { claim_token: token, claim_expires_at: end } = row
  if (isPartial(token, end)) return 'claim_incomplete'
  if (end === null) return false
  if (stateOf(row) !== 'staged') return 'claim_misplaced'
  if (end > latestClaimEnd(now)) return 'claim_never_ends'
  return end < longAgo(now) && 'claim_abandoned'
}

/** Contradictions in the row of an import; its data is looked at with the account. */
export const importBreaks = (row: VerifiedImport, now: Instant): readonly Kind[] => {
  const { payload, payload_removed_at: removedAt, latest_failure_code: failure } = row
  const isStaged = row.staged_version > 0
  const hasTimes = row.first_staged_at !== null && row.staged_at !== null
  const isNotStaged = areNull(payload, row.first_staged_at, row.staged_at)
  const isRemovedRightly = removedAt === null || (payload === null && isCreated(row))
  return [
    (row.state !== stateOf(row) || (isCreated(row) && Boolean(row.skipped))) && 'import_state_wrong',
    isStaged && (!hasTimes || areNull(payload, removedAt)) && 'staged_data_missing',
    !(isStaged ? isRemovedRightly : isNotStaged) && 'staged_data_unexpected',
    claimBreak(row, now),
    (isPartial(failure, row.latest_failure_at) || (isCreated(row) && failure !== null)) &&
      'failure_incomplete',
    isPartial(row.platform_account_number, row.account_created_at, row.created_version) &&
      'creation_incomplete',
  ]
}

/** Contradictions between an import and its accounts. */
export const accountBreak = (row: VerifiedImport | undefined, accounts: readonly AccountRow[]): Kind => {
  if (accounts.length === 0) return row !== undefined && isCreated(row) && 'completed_without_account'
  if (row === undefined) return 'account_without_import'
  if (!isCreated(row)) return 'account_of_unfinished_import'
  const named = accounts.find((each) => each.platform_account_number === row.platform_account_number)
  if (named === undefined) return 'account_number_differs'
  const { created_at: createdAt, staged_version: version } = named
  const isSame =
    row.account_created_at === createdAt && row.created_version === version && row.staged_version === version
  return !isSame && 'creation_differs'
}

const isWhole = ({ state, due_at, claim_token, settled_at }: VerifiedEmail): boolean =>
  state === 'waiting'
    ? due_at !== null && settled_at === null
    : ['sent', 'parked'].includes(state) && areNull(due_at, claim_token) && settled_at !== null

/** Contradictions in an e-mail, and between it and the accounts of its import. */
export const emailBreaks = (email: VerifiedEmail, accounts: readonly AccountRow[]): readonly Kind[] => {
  const isNamed = accounts.some((each) => each.platform_account_number === email.platform_account_number)
  return [
    !isWhole(email) && 'email_state_wrong',
    accounts.length === 0 && 'email_without_account',
    accounts.length > 0 && !isNamed && 'email_number_differs',
  ]
}

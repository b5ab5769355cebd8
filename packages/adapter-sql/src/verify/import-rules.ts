import { instantOf } from '@account-import/core'
import { accountFormat } from '@account-import/core/adapter-kit'
import type { AccountRow } from '../ports/accounts.js'
import { type ImportKeyRow, instant } from '../sql/rows.js'

/** An import with the columns that `verify` reads. */
export type VerifiedImport = ImportKeyRow &
  Pick<AccountRow, 'additions' | 'data_key' | 'payload'> &
  Readonly<{ state: string; skipped: 0 | 1; staged_version: number }> &
  Readonly<Record<'created_version' | 'created_format', number | null>> &
  Readonly<
    Record<
      | 'first_staged_at'
      | 'staged_at'
      | 'validated_under'
      | 'payload_hash'
      | 'platform_account_number'
      | 'account_created_at'
      | 'operations_team'
      | 'created_in_run'
      | 'remains'
      | 'payload_removed_at'
      | 'erased_at'
      | 'claim_token'
      | 'claim_expires_at'
      | 'latest_failure_code'
      | 'latest_failure_at',
      string | null
    >
  >

export const areNull = (...values: readonly unknown[]): boolean => values.every((value) => value === null)

export const isCreated = (row: VerifiedImport): boolean => row.platform_account_number !== null

const stateOf = (row: VerifiedImport): 'created' | 'skipped' | 'staged' | 'none' => {
  if (isCreated(row)) return 'created'
  if (row.skipped) return 'skipped'
  return row.staged_version > 0 ? 'staged' : 'none'
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Claims and slots last an hour at most, and clocks may differ by six minutes. */
const longestClaimMilliseconds = 3_960_000

/** The latest end of any claim until now. */
export const latestClaimEnd = (): string => instant.write(instantOf(Date.now() + longestClaimMilliseconds))

/** Columns of an import that depend on each other. */
type Rule = Readonly<{
  columns: readonly (keyof VerifiedImport)[]
  isKept(row: VerifiedImport): boolean
}>

const rules: readonly Rule[] = [
  {
    columns: ['state', 'skipped'],
    isKept: (row) => row.state === stateOf(row) && !(isCreated(row) && row.skipped),
  },
  {
    columns: ['staged_version', 'first_staged_at', 'staged_at', 'payload', 'payload_removed_at'],
    isKept: (row) => {
      const { payload, first_staged_at: first, staged_at: last, payload_removed_at: removedAt } = row
      if (row.staged_version === 0) return areNull(payload, first, last, row.validated_under)
      const isRemoved = payload === null && removedAt !== null && isCreated(row)
      return first !== null && last !== null && (isRemoved || (payload !== null && removedAt === null))
    },
  },
  {
    columns: ['account_created_at', 'created_version', 'created_format', 'operations_team', 'additions'],
    isKept: (row) => {
      const { account_created_at: at, created_version: version, created_format: format } = row
      if (!isCreated(row))
        return areNull(at, version, format, row.operations_team, row.created_in_run) && row.additions === 0
      const isFormat = Number(format) >= 1 && Number(format) <= accountFormat
      return at !== null && row.operations_team !== null && version === row.staged_version && isFormat
    },
  },
  {
    // Nobody could take over a claim without an end, or with one that is far away.
    columns: ['claim_token', 'claim_expires_at'],
    isKept: (row) => {
      const { claim_token: token, claim_expires_at: end } = row
      if (token === null || end === null) return areNull(token, end)
      return stateOf(row) === 'staged' && end <= latestClaimEnd()
    },
  },
  {
    columns: ['latest_failure_code', 'latest_failure_at'],
    isKept: (row) => {
      const { latest_failure_code: code, latest_failure_at: at } = row
      return areNull(code, at) || (code !== null && at !== null && !isCreated(row))
    },
  },
  {
    // An erasure that removes the payload stores what remains.
    columns: ['remains', 'erased_at'],
    isKept: ({
      account_created_at: at,
      erased_at: erasedAt,
      payload,
      remains,
      payload_removed_at: removedAt,
    }) => {
      const isErased = at !== null && erasedAt !== null && erasedAt >= at && payload === null
      if (remains === null) return !(isErased && removedAt === erasedAt)
      return isErased && isJson(remains)
    },
  },
]

/** The columns of an import that contradict each other. */
export const contradictions = (row: VerifiedImport): readonly string[] =>
  rules.flatMap((rule) => (rule.isKept(row) ? [] : rule.columns))

import { instantOf, type Instant } from '@account-import/core'
import type { AccountImportRow, ImportState } from '../rows/account-imports.js'
import { toSqlInstant } from '../rows/instants.js'
import type { importBreakKinds } from './import-break-kinds.js'
import { latestClaimEnd } from './latest-claim-end.js'
import { stagedDetails } from './staged-details.js'

type Kind = keyof typeof importBreakKinds

/** An import with its data, which is null for a created one: that is read with its account. */
export type VerifiedImport = Omit<AccountImportRow, 'erased_at'> &
  Readonly<{ payload: string | null; data_key: string | null; has_payload: number }>

const stateOf = (row: VerifiedImport): ImportState => {
  if (row.platform_account_number !== null) return 'created'
  if (row.skipped) return 'skipped'
  return row.staged_version > 0 ? 'staged' : 'none'
}

const stagedBreaks = (row: VerifiedImport): readonly Kind[] => {
  const times = [row.first_staged_at, row.staged_at].filter((time) => time !== null)
  if (row.staged_version === 0) return row.has_payload || times.length > 0 ? ['staged_data_unexpected'] : []
  if (times.length < 2) return ['staged_data_missing']
  if (row.payload_removed_at !== null && (row.has_payload || row.platform_account_number === null))
    return ['staged_data_unexpected']
  if (!row.has_payload) return row.payload_removed_at === null ? ['staged_data_missing'] : []
  if (row.payload === null) return []
  const details = stagedDetails(row.payload, row, undefined)
  return typeof details === 'string' ? [details] : []
}

/** Far longer than anybody who still works on an account. */
const longAgo = (now: Instant): string => toSqlInstant(instantOf(Date.parse(now) - 24 * 3_600_000))

const claimBreaks = (row: VerifiedImport, now: Instant): readonly Kind[] => {
  const { claim_token: token, claim_expires_at: end } = row
  if ((token === null) !== (end === null)) return ['claim_incomplete']
  if (end === null) return []
  if (row.platform_account_number !== null || row.skipped || row.staged_version === 0)
    return ['claim_misplaced']
  if (end > toSqlInstant(latestClaimEnd(now))) return ['claim_never_ends']
  return end < longAgo(now) ? ['claim_abandoned'] : []
}

const failureBreaks = (row: VerifiedImport): readonly Kind[] => {
  const { latest_failure_code: code, latest_failure_at: at } = row
  const isLeft = row.platform_account_number !== null && code !== null
  return (code === null) !== (at === null) || isLeft ? ['failure_incomplete'] : []
}

const creationBreaks = (row: VerifiedImport): readonly Kind[] => {
  const parts = [row.platform_account_number, row.account_created_at, row.created_version]
  const there = parts.filter((part) => part !== null).length
  return there === 0 || there === parts.length ? [] : ['creation_incomplete']
}

const hasState = (row: VerifiedImport): boolean =>
  row.state === stateOf(row) && !(row.state === 'created' && row.skipped)

/** What does not go together in the row of an import. */
export const importBreaks = (row: VerifiedImport, now: Instant): readonly Kind[] => [
  ...(hasState(row) ? [] : ['import_state_wrong' as const]),
  ...stagedBreaks(row),
  ...claimBreaks(row, now),
  ...failureBreaks(row),
  ...creationBreaks(row),
]

/** What is read of an account here. */
export type AccountOfImport = Readonly<{
  external_account_number: string
  platform_account_number: string
  staged_version: number
  created_at: string
}>

/** What does not go together between an import and its accounts. */
export const accountBreaks = (
  row: VerifiedImport | undefined,
  accounts: readonly AccountOfImport[],
): readonly Kind[] => {
  const breaks: Kind[] = accounts.length > 1 ? ['several_accounts'] : []
  const [account] = accounts
  if (account === undefined)
    return row !== undefined && row.platform_account_number !== null ? ['completed_without_account'] : []
  if (row === undefined) return [...breaks, 'account_without_import']
  if (row.platform_account_number === null) return [...breaks, 'account_of_unfinished_import']
  const named = accounts.find((each) => each.platform_account_number === row.platform_account_number)
  if (named === undefined) return [...breaks, 'account_number_differs']
  const isSame =
    row.account_created_at === named.created_at &&
    row.created_version === named.staged_version &&
    row.staged_version === named.staged_version
  return isSame ? breaks : [...breaks, 'creation_differs']
}

import { type AccountDetails, type AccountPayload, type Instant, instantOf } from '@account-import/core'
import { accountFromPayload } from '@account-import/core/adapter-kit'
import type { AccountImportRow, ImportState } from '../ports/import-rows.js'
import { toSqlInstant } from '../sql/rows.js'
import type { BreakKind } from './break-kinds.js'
import { latestClaimEnd } from './database-breaks.js'

/** An import with its data, decrypted; a text that cannot be is no JSON. */
export type VerifiedImport = Omit<AccountImportRow, 'erased_at'> &
  Readonly<{ payload: string | null; data_key: string | null }>

/** What is read of an account here. */
type AccountOfImport = Readonly<{
  platform_account_number: string
  staged_version: number
  created_at: string
}>

const parsed = (payload: string): AccountPayload | undefined => {
  try {
    return JSON.parse(payload) as AccountPayload
  } catch {
    // The error of the parser quotes the text.
    return undefined
  }
}

/**
 * What an account consists of that was created then from staged data, or what is wrong with the data. It was validated
 * when it was staged; here it only has to be an account.
 */
export const stagedDetails = (
  payload: string,
  key: Readonly<{ import_supplier: string; external_account_number: string }>,
  createdAt: Instant = instantOf(0),
): AccountDetails | 'staged_data_unreadable' | 'staged_data_of_another' => {
  const account = parsed(payload)
  if (typeof account !== 'object' || account === null) return 'staged_data_unreadable'
  const isSame =
    account.import_supplier === key.import_supplier &&
    account.external_account_number === key.external_account_number
  if (!isSame) return 'staged_data_of_another'
  try {
    return accountFromPayload(account, createdAt)
  } catch (cause) {
    if (cause instanceof TypeError) return 'staged_data_unreadable'
    throw cause
  }
}

const stateOf = (row: VerifiedImport): ImportState => {
  if (row.platform_account_number !== null) return 'created'
  if (row.skipped) return 'skipped'
  return row.staged_version > 0 ? 'staged' : 'none'
}

const stagedBreaks = (row: VerifiedImport): readonly BreakKind[] => {
  const times = [row.first_staged_at, row.staged_at].filter((time) => time !== null)
  const hasPayload = row.payload !== null
  if (row.staged_version === 0) return hasPayload || times.length > 0 ? ['staged_data_unexpected'] : []
  if (times.length < 2) return ['staged_data_missing']
  if (row.payload_removed_at !== null && (hasPayload || row.platform_account_number === null))
    return ['staged_data_unexpected']
  return hasPayload || row.payload_removed_at !== null ? [] : ['staged_data_missing']
}

/** Far longer than anybody who still works on an account. */
const longAgo = (now: Instant): string => toSqlInstant(instantOf(Date.parse(now) - 24 * 3_600_000))

const claimBreaks = (row: VerifiedImport, now: Instant): readonly BreakKind[] => {
  const { claim_token: token, claim_expires_at: end } = row
  if ((token === null) !== (end === null)) return ['claim_incomplete']
  if (end === null) return []
  if (row.platform_account_number !== null || row.skipped || row.staged_version === 0)
    return ['claim_misplaced']
  if (end > latestClaimEnd(now)) return ['claim_never_ends']
  return end < longAgo(now) ? ['claim_abandoned'] : []
}

const failureBreaks = (row: VerifiedImport): readonly BreakKind[] => {
  const { latest_failure_code: code, latest_failure_at: at } = row
  const isLeft = row.platform_account_number !== null && code !== null
  return (code === null) !== (at === null) || isLeft ? ['failure_incomplete'] : []
}

const creationBreaks = (row: VerifiedImport): readonly BreakKind[] => {
  const parts = [row.platform_account_number, row.account_created_at, row.created_version]
  const there = parts.filter((part) => part !== null).length
  return there === 0 || there === parts.length ? [] : ['creation_incomplete']
}

/** What does not go together in the row of an import; its data is looked at with the account. */
export const importBreaks = (row: VerifiedImport, now: Instant): readonly BreakKind[] => [
  ...(row.state === stateOf(row) && !(row.state === 'created' && row.skipped)
    ? []
    : ['import_state_wrong' as const]),
  ...stagedBreaks(row),
  ...claimBreaks(row, now),
  ...failureBreaks(row),
  ...creationBreaks(row),
]

/** What does not go together between an import and its accounts. */
export const accountBreaks = (
  row: VerifiedImport | undefined,
  accounts: readonly AccountOfImport[],
): readonly BreakKind[] => {
  const breaks: BreakKind[] = accounts.length > 1 ? ['several_accounts'] : []
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

/** What is read of an e-mail; whatever the columns hold. */
export type VerifiedEmail = Readonly<{
  external_account_number: string
  platform_account_number: string
  state: string
  due_at: string | null
  claim_token: string | null
  settled_at: string | null
}>

const isWhole = ({ state, due_at, claim_token, settled_at }: VerifiedEmail): boolean =>
  state === 'waiting'
    ? due_at !== null && settled_at === null
    : (state === 'sent' || state === 'parked') &&
      due_at === null &&
      claim_token === null &&
      settled_at !== null

/** What does not go together in an e-mail, and between it and the accounts of its import. */
export const emailBreaks = (
  email: VerifiedEmail,
  accounts: readonly AccountOfImport[],
): readonly BreakKind[] => {
  const breaks: BreakKind[] = isWhole(email) ? [] : ['email_state_wrong']
  if (accounts.length === 0) breaks.push('email_without_account')
  else if (accounts.every((each) => each.platform_account_number !== email.platform_account_number))
    breaks.push('email_number_differs')
  return breaks
}

import { accountKeyText, type AccountKey } from '../domain/account-key.js'
import { refusalOf, type AccountImport } from '../domain/account-import.js'
import type {
  ClaimOutcome,
  ClaimRelease,
  ClaimRequest,
  Completion,
  StageOutcome,
  Staging,
} from '../ports/account-imports.js'
import type { Instant } from '../values/instant.js'
import type { ImportRow, Tables } from './memory.js'

const unknownImport = (key: AccountKey): ImportRow => ({
  key,
  stagedVersion: 0,
  skipped: false,
  attempts: 0,
  latestFailure: undefined,
  created: undefined,
  payload: undefined,
  firstStagedAt: undefined,
})

const rowOf = (tables: Tables, key: AccountKey): ImportRow =>
  tables.imports.get(accountKeyText(key)) ?? unknownImport(key)

const save = (tables: Tables, row: ImportRow): void => tables.imports.set(accountKeyText(row.key), row)

export const findImport = (tables: Tables, key: AccountKey): AccountImport | undefined => {
  const row = tables.imports.get(accountKeyText(key))
  if (row === undefined) return undefined
  const { payload: _payload, firstStagedAt: _firstStagedAt, ...rest } = row
  return { ...rest, claim: tables.claims.get(accountKeyText(key)) }
}

/** Staged, neither skipped nor created; it may be under a claim. */
export const isPending = (row: ImportRow): boolean =>
  row.stagedVersion > 0 && row.created === undefined && !row.skipped

const refusal = (tables: Tables, key: AccountKey, at: Instant) => {
  const found = findImport(tables, key)
  return found && refusalOf(found, at)
}

export const stageRow = (tables: Tables, { key, payload, at }: Staging): StageOutcome => {
  const refused = refusal(tables, key, at)
  if (refused) return refused
  const row = rowOf(tables, key)
  const version = row.stagedVersion + 1
  save(tables, { ...row, stagedVersion: version, payload, firstStagedAt: row.firstStagedAt ?? at })
  tables.claims.delete(accountKeyText(key))
  return { _tag: version === 1 ? 'created' : 'replaced', version }
}

const liveClaims = (tables: Tables, at: Instant): number => {
  let count = 0
  for (const claim of tables.claims.rows()) if (claim.expiresAt > at) count += 1
  return count
}

export const claimRow = (tables: Tables, request: ClaimRequest, limit: number | undefined): ClaimOutcome => {
  const { key, token, at, expiresAt, countsAsAttempt } = request
  const refused = refusal(tables, key, at)
  if (refused) return refused
  const row = rowOf(tables, key)
  if (row.payload === undefined) return { _tag: 'not_staged' }
  if (limit !== undefined && liveClaims(tables, at) >= limit) return { _tag: 'over_limit' }
  save(tables, { ...row, attempts: row.attempts + (countsAsAttempt ? 1 : 0) })
  tables.claims.set(accountKeyText(key), { token, expiresAt })
  return { _tag: 'claimed', version: row.stagedVersion, payload: row.payload }
}

const holds = (tables: Tables, key: AccountKey, token: string): boolean =>
  tables.claims.get(accountKeyText(key))?.token === token

export const completeRow = (tables: Tables, completion: Completion): 'completed' | 'claim_lost' => {
  const { key, token, platformAccountNumber, at } = completion
  if (!holds(tables, key, token)) return 'claim_lost'
  const row = rowOf(tables, key)
  save(tables, {
    ...row,
    latestFailure: undefined,
    created: { platformAccountNumber, createdAt: at, stagedVersion: row.stagedVersion },
  })
  tables.claims.delete(accountKeyText(key))
  return 'completed'
}

export const releaseRow = (tables: Tables, { key, token, failure }: ClaimRelease): void => {
  if (!holds(tables, key, token)) return
  tables.claims.delete(accountKeyText(key))
  if (failure)
    save(tables, { ...rowOf(tables, key), latestFailure: { code: failure.code, occurredAt: failure.at } })
}

export const skipRow = (tables: Tables, key: AccountKey, skipped: boolean, at: Instant) => {
  const refused = refusal(tables, key, at)
  if (refused && refused._tag !== 'marked_to_skip') return refused._tag
  const row = rowOf(tables, key)
  if (row.skipped === skipped) return 'unchanged'
  save(tables, { ...row, skipped })
  tables.claims.delete(accountKeyText(key))
  return 'changed'
}

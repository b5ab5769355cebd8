import { type AccountImport, refusalOf } from '../domain/account-import.js'
import { type AccountKey, accountKeyText } from '../domain/account-key.js'
import { type Actor, type AuditEntry, unnamedActor } from '../domain/audit-entry.js'
import type {
  ClaimOutcome,
  ClaimRelease,
  ClaimRequest,
  Completion,
  StageOutcome,
  Staging,
} from '../ports/account-imports.js'
import type { Instant } from '../values/instant.js'
import { recordIn } from './audit-trail.js'
import type { ImportRow, Tables } from './memory.js'

const unknownImport = (key: AccountKey): ImportRow => ({
  key,
  stagedVersion: 0,
  skipped: false,
  attempts: 0,
  latestFailure: undefined,
  created: undefined,
  payload: undefined,
  payloadHash: undefined,
  firstStagedAt: undefined,
  stagedAt: undefined,
  payloadRemovedAt: undefined,
  erasedAt: undefined,
})

const rowOf = (tables: Tables, key: AccountKey): ImportRow =>
  tables.imports.get(accountKeyText(key)) ?? unknownImport(key)

const save = (tables: Tables, row: ImportRow): void => tables.imports.set(accountKeyText(row.key), row)

export const findImport = (tables: Tables, key: AccountKey): AccountImport | undefined => {
  const row = tables.imports.get(accountKeyText(key))
  if (row === undefined) return undefined
  const { stagedVersion, skipped, attempts, latestFailure, created } = row
  const claim = tables.claims.get(accountKeyText(key))
  return { key: row.key, stagedVersion, skipped, claim, attempts, latestFailure, created }
}

/** Staged, neither skipped nor created; it may be under a claim. */
export const isPending = (row: ImportRow): boolean =>
  row.stagedVersion > 0 && row.created === undefined && !row.skipped

/** Whether it was erased, and not let in again since: then it may have been staged again, and created. */
export const isErased = (row: ImportRow | undefined): boolean => {
  if (row?.erasedAt === undefined) return false
  return row.created === undefined ? row.skipped : row.erasedAt >= row.created.createdAt
}

const refusal = (tables: Tables, key: AccountKey, at: Instant) => {
  const found = findImport(tables, key)
  return found && refusalOf(found, at)
}

/** The audit event of a changed import. */
export const recordChange = (
  tables: Tables,
  { key, payloadHash: before }: ImportRow,
  {
    by = unnamedActor,
    ...change
  }: Pick<AuditEntry, 'at' | 'what' | 'subject' | 'after'> & { by: Actor | undefined },
): void => recordIn(tables, [{ ...key, ...change, by, before }])

/** A staging, with the hash of its payload. */
type HashedStaging = Staging & Readonly<{ hash: string }>

export const stageRow = (tables: Tables, { key, payload, hash, at, by }: HashedStaging): StageOutcome => {
  const refused = refusal(tables, key, at)
  if (refused) return refused
  const row = rowOf(tables, key)
  const version = row.stagedVersion + 1
  recordChange(tables, row, { at, what: version === 1 ? 'staged' : 'restaged', by, after: hash })
  save(tables, {
    ...row,
    stagedVersion: version,
    payload,
    payloadHash: hash,
    firstStagedAt: row.firstStagedAt ?? at,
    stagedAt: at,
  })
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

/** A completion, with the hash of the account's number. */
type HashedCompletion = Completion & Readonly<{ hash: string }>

export const completeRow = (tables: Tables, completion: HashedCompletion): 'completed' | 'claim_lost' => {
  const { key, token, platformAccountNumber, at, by, hash } = completion
  if (!holds(tables, key, token)) return 'claim_lost'
  const row = rowOf(tables, key)
  recordChange(tables, row, { at, what: 'created', by, subject: platformAccountNumber, after: hash })
  save(tables, {
    ...row,
    latestFailure: undefined,
    created: { platformAccountNumber, createdAt: at, stagedVersion: row.stagedVersion },
  })
  tables.claims.delete(accountKeyText(key))
  return 'completed'
}

export const releaseRow = (tables: Tables, { key, token, failure, by }: ClaimRelease): void => {
  if (!holds(tables, key, token)) return
  tables.claims.delete(accountKeyText(key))
  if (failure === undefined) return
  const row = rowOf(tables, key)
  recordChange(tables, row, { at: failure.at, what: 'failed', by, subject: failure.code })
  save(tables, { ...row, latestFailure: { code: failure.code, occurredAt: failure.at } })
}

type SkipRequest = Readonly<{ key: AccountKey; skipped: boolean; at: Instant; by: Actor | undefined }>

export const skipRow = (tables: Tables, { key, skipped, at, by }: SkipRequest) => {
  const refused = refusal(tables, key, at)
  if (refused && refused._tag !== 'marked_to_skip') return refused._tag
  const row = rowOf(tables, key)
  if (row.skipped === skipped) return 'unchanged'
  recordChange(tables, row, { at, what: skipped ? 'skipped' : 'unskipped', by })
  save(tables, { ...row, skipped })
  tables.claims.delete(accountKeyText(key))
  return 'changed'
}

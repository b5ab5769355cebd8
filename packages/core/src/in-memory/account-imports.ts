import {
  type AccountImport,
  type AccountKey,
  accountKeyText,
  countedImport,
  refusalOf,
  summaryOf,
} from '../domain/account-import.js'
import { type Actor, type AuditEntry, unnamedActor } from '../domain/audit-entry.js'
import type {
  ClaimOutcome,
  ClaimRelease,
  ClaimRequest,
  ComparedData,
  Completion,
  StageOutcome,
  Staging,
  AccountImportList,
  AccountImportListItem,
  AccountImports,
  StagedImport,
  StagedPageRequest,
} from '../ports/account-imports.js'
import { largeAccountBytes } from '../ports/accounts.js'
import { portOf } from '../ports/port-failure.js'
import { compareCodePoints, isSameJson } from '../values/compare.js'
import type { Instant } from '../values/instant.js'
import { recordIn } from './audit-trail.js'
import { type ImportRow, type Memory, pageIn, rowsOf, storedPageIn, type Tables } from './memory.js'
import { supplierIn, teamIn } from './registers.js'

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
  importRun: undefined,
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
const isPending = (row: ImportRow): boolean =>
  row.stagedVersion > 0 && row.created === undefined && !row.skipped

/** Whether it was erased, and neither unskipped nor created since. */
export const isErased = (row: ImportRow | undefined): boolean => {
  if (row?.erasedAt === undefined) return false
  return row.created === undefined ? row.skipped : row.erasedAt >= row.created.createdAt
}

const refusal = (tables: Tables, key: AccountKey, at: Instant) => {
  const found = findImport(tables, key)
  return found && refusalOf(found, at)
}

type HashedData = ComparedData & Readonly<{ hash: string | undefined }>

const sameDataIn = (tables: Tables, { key, payload, hash }: HashedData): boolean | undefined => {
  const row = tables.imports.get(accountKeyText(key))
  if (row?.created === undefined || isErased(row)) return undefined
  // Created accounts are never staged again, so the staged data is the data that the account was created from.
  if (payload === undefined || hash === row.payloadHash) return true
  return row.payload !== undefined && isSameJson(payload, row.payload)
}

/** Whether its account was undone, and nothing was staged since: it was staged in the past, and was not erased. */
export const isTakenBack = (row: ImportRow | undefined): boolean =>
  row?.stagedVersion === 0 && !row.skipped && row.erasedAt === undefined && row.payloadHash !== undefined

/** The audit event of a changed import. */
export const recordChange = (
  tables: Tables,
  { key, payloadHash: before }: ImportRow,
  {
    by = unnamedActor,
    ...change
  }: Pick<AuditEntry, 'at' | 'what' | 'subject' | 'after'> & { by: Actor | undefined },
): void => recordIn(tables, [{ ...key, ...change, by, before }])

type HashedStaging = Staging & Readonly<{ hash: string }>

const stageRow = (tables: Tables, { key, payload, hash, at, by, importRun }: HashedStaging): StageOutcome => {
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
    importRun,
  })
  tables.claims.delete(accountKeyText(key))
  return { _tag: version === 1 ? 'created' : 'replaced', version }
}

const liveClaims = (tables: Tables, at: Instant): number => {
  let count = 0
  for (const claim of tables.claims.rows()) if (claim.expiresAt > at) count += 1
  return count
}

const claimRow = (tables: Tables, request: ClaimRequest, limit: number | undefined): ClaimOutcome => {
  const { key, token, at, expiresAt, countsAsAttempt } = request
  const refused = refusal(tables, key, at)
  if (refused) return refused
  const row = rowOf(tables, key)
  if (row.payload === undefined) return { _tag: 'not_staged' }
  if (limit !== undefined && liveClaims(tables, at) >= limit) return { _tag: 'over_limit' }
  save(tables, { ...row, attempts: row.attempts + (countsAsAttempt ? 1 : 0) })
  tables.claims.set(accountKeyText(key), { token, expiresAt })
  const payload = row.payload.length > largeAccountBytes ? undefined : row.payload
  return { _tag: 'claimed', version: row.stagedVersion, payload }
}

const holds = (tables: Tables, key: AccountKey, token: string): boolean =>
  tables.claims.get(accountKeyText(key))?.token === token

type HashedCompletion = Completion & Readonly<{ hash: string }>

const completeRow = (tables: Tables, completion: HashedCompletion): 'completed' | 'claim_lost' => {
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

const releaseRow = (tables: Tables, { key, token, failure, by }: ClaimRelease): void => {
  if (!holds(tables, key, token)) return
  tables.claims.delete(accountKeyText(key))
  if (failure === undefined) return
  const row = rowOf(tables, key)
  recordChange(tables, row, { at: failure.at, what: 'failed', by, subject: failure.code })
  save(tables, { ...row, latestFailure: { code: failure.code, occurredAt: failure.at } })
}

type SkipRequest = Readonly<{ key: AccountKey; skipped: boolean; at: Instant; by: Actor | undefined }>

const skipRow = (tables: Tables, { key, skipped, at, by }: SkipRequest) => {
  const refused = refusal(tables, key, at)
  if (refused && refused._tag !== 'marked_to_skip') return refused._tag
  const row = rowOf(tables, key)
  if (row.skipped === skipped) return 'unchanged'
  recordChange(tables, row, { at, what: skipped ? 'skipped' : 'unskipped', by })
  save(tables, { ...row, skipped })
  tables.claims.delete(accountKeyText(key))
  return 'changed'
}

const compare = (a: StagedImport, b: StagedImport): number =>
  compareCodePoints(a.firstStagedAt, b.firstStagedAt) ||
  compareCodePoints(a.externalAccountNumber, b.externalAccountNumber)

/** One page, oldest first; reads all imports of the supplier. */
const stagedPageOf = (
  memory: Memory,
  { until, after, limit, ...supplier }: StagedPageRequest,
): readonly StagedImport[] =>
  [...rowsOf(memory, supplier)]
    .flatMap(({ externalAccountNumber, row }): readonly StagedImport[] => {
      if (row?.firstStagedAt === undefined || row.firstStagedAt > until || !isPending(row)) return []
      const item = { externalAccountNumber, firstStagedAt: row.firstStagedAt }
      return after === undefined || compare(item, after) > 0 ? [item] : []
    })
    .sort(compare)
    .slice(0, limit)

const belongsTo: Record<AccountImportList, (row: ImportRow) => boolean> = {
  all: (row) => row.stagedVersion > 0 || row.created !== undefined,
  pending: isPending,
  imported: (row) => row.created !== undefined,
}

const itemOf = ({ key, created }: ImportRow): AccountImportListItem => ({
  externalAccountNumber: key.externalAccountNumber,
  platformAccountNumber: created?.platformAccountNumber,
  accountCreatedAt: created?.createdAt,
})

const summaryIn = (memory: Memory, organisation: string, importSupplier: string, at: Instant) =>
  summaryOf(
    [...rowsOf(memory, { organisation, importSupplier })].flatMap(({ externalAccountNumber }) => {
      const found = findImport(memory.tables, { organisation, importSupplier, externalAccountNumber })
      return found === undefined ? [] : countedImport(found, at)
    }),
  )

/** Whether the staging requires no revision of its supplier, or the present one. */
const isBySupplier = (
  { suppliers }: Memory,
  { key, supplierRevision }: Pick<Staging, 'key' | 'supplierRevision'>,
): boolean =>
  supplierRevision === undefined ||
  supplierIn(suppliers, key.organisation, key.importSupplier)?.revision === supplierRevision

const isMet = (memory: Memory, { key, precondition }: ClaimRequest): boolean =>
  precondition === undefined ||
  (isBySupplier(memory, { key, supplierRevision: precondition.supplierRevision }) &&
    teamIn(memory, precondition.operationsTeam, key.organisation))

/** Account imports on the given tables; pages read the committed state. */
export const inMemoryAccountImports = (
  memory: Memory,
  { tables, change }: Pick<Memory, 'tables' | 'change'> = memory,
): AccountImports =>
  portOf('accountImports', {
    find: async (key) => findImport(tables, key),
    stage: async (stagings) => {
      const hashed = await Promise.all(
        stagings.map(async (staging) => ({ ...staging, hash: await memory.hash(staging.payload) })),
      )
      return change((own) =>
        hashed.map((staging) =>
          isBySupplier(memory, staging) ? stageRow(own, staging) : { _tag: 'supplier_changed' },
        ),
      )
    },
    staged: async (key) => {
      const row = tables.imports.get(accountKeyText(key))
      return row?.payload === undefined ? undefined : { version: row.stagedVersion, payload: row.payload }
    },
    sameData: (compared) =>
      Promise.all(
        compared.map(async (data) => {
          const hash = data.payload === undefined ? undefined : await memory.hash(data.payload)
          return sameDataIn(tables, { ...data, hash })
        }),
      ),
    claim: (requests, limit) =>
      change((own) =>
        requests.map((request) =>
          isMet(memory, request) ? claimRow(own, request, limit) : { _tag: 'precondition_failed' },
        ),
      ),
    complete: async (completions) => {
      const hashed = await Promise.all(
        completions.map(async (completion) => ({
          ...completion,
          hash: await memory.hash(completion.platformAccountNumber),
        })),
      )
      return change((own) => hashed.map((completion) => completeRow(own, completion)))
    },
    release: (releases) => change((own) => releases.forEach((release) => releaseRow(own, release))),
    page: async ({ list, ...request }) =>
      pageIn(memory, request, ({ row }) =>
        row !== undefined && belongsTo[list](row) ? itemOf(row) : undefined,
      ),
    stagedPage: async (request) => stagedPageOf(memory, request),
    stagedPayloads: async (request) =>
      storedPageIn(
        memory,
        request,
        ({ externalAccountNumber, row }) =>
          row?.payload !== undefined && isPending(row)
            ? { externalAccountNumber, payload: row.payload }
            : undefined,
        ({ payload }) => payload.length,
      ),
    summary: async (...request) => summaryIn(memory, ...request),
    setSkipped: (key, skipped, at, by) => change((own) => skipRow(own, { key, skipped, at, by })),
  })

import {
  type AccountImport,
  type AccountKey,
  accountKeyText,
  countedImport,
  isImport,
  refusalOf,
  summaryOf,
} from '../domain/account-import.js'
import { accountFromPayload } from '../domain/account-from-payload.js'
import type { Account } from '../domain/account.js'
import { type Actor, type AuditEntry, unnamedActor } from '../domain/audit-entry.js'
import type {
  ClaimOutcome,
  ClaimRelease,
  ClaimRequest,
  ComparedData,
  Creation,
  CreationOutcome,
  StageOutcome,
  Staging,
  AccountImportList,
  AccountImportListItem,
  AccountImports,
  StagedImport,
  StagedPageRequest,
} from '../ports/account-imports.js'
import { storedPageOf } from '../ports/accounts.js'
import { type PortFailure, portFailure, portOf } from '../ports/port-failure.js'
import { compareCodePoints, isSameJson } from '../values/compare.js'
import type { Instant } from '../values/instant.js'
import { recordIn } from './audit-trail.js'
import { insertAccount } from './accounts.js'
import {
  changedAlone,
  type ImportRow,
  isErased,
  type Memory,
  pageIn,
  rowsOf,
  storedPageIn,
  type Tables,
} from './memory.js'

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
  validatedUnder: undefined,
  payloadRemovedAt: undefined,
  erasedAt: undefined,
})

const rowOf = (tables: Tables, key: AccountKey): ImportRow =>
  tables.imports.get(accountKeyText(key)) ?? unknownImport(key)

const save = (tables: Tables, row: ImportRow): void => tables.imports.set(accountKeyText(row.key), row)

/** The import of the key, or the rest of one that was undone or whose mark was removed. */
export const findImport = (tables: Tables, key: AccountKey): AccountImport | undefined => {
  const row = tables.imports.get(accountKeyText(key))
  if (row === undefined) return undefined
  const { stagedVersion, skipped, attempts, latestFailure, created, importRun } = row
  const claim = tables.claims.get(accountKeyText(key))
  const createdInRun = tables.accounts.get(accountKeyText(key))?.importRun
  return {
    key: row.key,
    stagedVersion,
    skipped,
    claim,
    attempts,
    latestFailure,
    created,
    ...(importRun !== undefined && { importRun }),
    ...(createdInRun !== undefined && { createdInRun }),
  }
}

/** As `find` of the port. */
const existing = (tables: Tables, key: AccountKey): AccountImport | undefined => {
  const found = findImport(tables, key)
  return found !== undefined && isImport(found) ? found : undefined
}

/** Staged, neither skipped nor created; it may be under a claim. */
const isPending = (row: ImportRow): boolean =>
  row.stagedVersion > 0 && row.created === undefined && !row.skipped

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

type HashedCreation = Creation & Readonly<{ hash: string }>

const accountOf = ({ payload, stagedVersion }: ImportRow, creation: Creation): Account => {
  const { key, platformAccountNumber, operationsTeam, at, importRun } = creation
  const sent = JSON.parse(payload ?? '') as Parameters<typeof accountFromPayload>[0]
  return {
    key,
    platformAccountNumber,
    operationsTeam,
    stagedVersion,
    createdAt: at,
    ...(importRun !== undefined && { importRun }),
    details: accountFromPayload(sent, at),
  }
}

/** Creates the account of the staged data. */
const writeCreated = (tables: Tables, creation: HashedCreation): void => {
  const { key, platformAccountNumber, at, by, token, validatedUnder, hash } = creation
  const row = rowOf(tables, key)
  recordChange(tables, row, { at, what: 'created', by, subject: platformAccountNumber, after: hash })
  save(tables, {
    ...row,
    latestFailure: undefined,
    validatedUnder,
    attempts: row.attempts + (token === undefined ? 1 : 0),
    created: { platformAccountNumber, createdAt: at, stagedVersion: row.stagedVersion },
  })
  tables.claims.delete(accountKeyText(key))
  insertAccount(tables, accountOf(row, creation))
}

const holds = (tables: Tables, key: AccountKey, token: string): boolean =>
  tables.claims.get(accountKeyText(key))?.token === token

const createRow = (tables: Tables, creation: HashedCreation): CreationOutcome => {
  const { key, platformAccountNumber, at, token, validatedUnder, version } = creation
  const row = rowOf(tables, key)
  const done: CreationOutcome = {
    _tag: 'created',
    ...(version === undefined && row.warnings !== undefined && { warnings: row.warnings }),
  }
  if (row.created?.platformAccountNumber === platformAccountNumber) return done
  const isClaimed = token !== undefined && holds(tables, key, token)
  const refused = refusal(tables, key, at)
  if (refused && !(isClaimed && refused._tag === 'in_progress')) return refused
  if (token !== undefined && !isClaimed) return { _tag: 'claim_lost' }
  const { stagedVersion, payload } = row
  if (payload === undefined) return { _tag: 'not_staged' }
  const isValidated =
    version === undefined
      ? validatedUnder !== undefined && row.validatedUnder === validatedUnder
      : version === stagedVersion
  if (!isValidated) return { _tag: 'needs_validation' }
  writeCreated(tables, creation)
  return done
}

/** The hashes of the payload, and of the number of the account that is created from it. */
type HashedStaging = Staging & Readonly<{ hash: string; numberHash: string | undefined }>

const stageRow = (tables: Tables, staging: HashedStaging): StageOutcome => {
  const { key, payload, hash, numberHash, at, by, importRun, validatedUnder, warnings, creation } = staging
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
    validatedUnder,
    warnings,
  })
  tables.claims.delete(accountKeyText(key))
  if (creation !== undefined && numberHash !== undefined)
    writeCreated(tables, { key, at, by, importRun, validatedUnder, ...creation, hash: numberHash })
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
  return { _tag: 'claimed' }
}

const releaseRow = (tables: Tables, { key, token, failure, by }: ClaimRelease): void => {
  if (token !== undefined) {
    if (!holds(tables, key, token)) return
    tables.claims.delete(accountKeyText(key))
  }
  const row = rowOf(tables, key)
  if (failure === undefined || !isPending(row) || refusal(tables, key, failure.at)) return
  recordChange(tables, row, { at: failure.at, what: 'failed', by, subject: failure.code })
  save(tables, {
    ...row,
    attempts: row.attempts + (token === undefined ? 1 : 0),
    latestFailure: { code: failure.code, occurredAt: failure.at },
  })
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
      const found = existing(memory.tables, { organisation, importSupplier, externalAccountNumber })
      return found === undefined ? [] : [countedImport(found, at)]
    }),
  )

type Failed = Readonly<{ _tag: 'failed'; failure: PortFailure }>

/**
 * Changes the row of each item by itself: an item that fails changes nothing. Outside of a unit of work it is `failed`; inside it
 * fails the call, so that the unit of work is rolled back.
 */
const eachAlone = <Item, Outcome>(
  { tables, isUnit }: Pick<Memory, 'tables' | 'isUnit'>,
  operation: string,
  items: readonly Item[],
  changeRow: (tables: Tables, item: Item) => Outcome,
): readonly (Outcome | Failed)[] =>
  items.map((item) => {
    try {
      return changedAlone(tables, (own) => changeRow(own, item))
    } catch (cause) {
      if (isUnit) throw cause
      return { _tag: 'failed', failure: portFailure('unexpected', 'accountImports', operation, cause) }
    }
  })

/** Account imports on the given tables; pages read the committed state. */
export const inMemoryAccountImports = (
  memory: Memory,
  within: Pick<Memory, 'tables' | 'change' | 'isUnit'> = memory,
): AccountImports => {
  const { tables, change } = within
  const changeEach = <Item, Outcome>(
    operation: string,
    items: readonly Item[],
    changeRow: (tables: Tables, item: Item) => Outcome,
  ) => change((own) => eachAlone({ ...within, tables: own }, operation, items, changeRow))
  return portOf('accountImports', {
    find: async (key) => existing(tables, key),
    stage: async (stagings) => {
      const hashed = await Promise.all(
        stagings.map(async (staging) => ({
          ...staging,
          hash: await memory.hash(staging.payload),
          numberHash: staging.creation && (await memory.hash(staging.creation.platformAccountNumber)),
        })),
      )
      return changeEach('stage', hashed, stageRow)
    },
    staged: async (keys) => {
      const found = keys.map((key) => {
        const { payload, stagedVersion: version } = rowOf(tables, key)
        return payload === undefined ? undefined : { version, payload }
      })
      return storedPageOf(found, keys.length, (data) => data?.payload.length ?? 0).items
    },
    sameData: (compared) =>
      Promise.all(
        compared.map(async (data) => {
          const hash = data.payload === undefined ? undefined : await memory.hash(data.payload)
          return sameDataIn(tables, { ...data, hash })
        }),
      ),
    claim: (requests, limit) => change((own) => requests.map((request) => claimRow(own, request, limit))),
    create: async (creations) => {
      const hashed = await Promise.all(
        creations.map(async (creation) => ({
          ...creation,
          hash: await memory.hash(creation.platformAccountNumber),
        })),
      )
      return changeEach('create', hashed, createRow)
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
}

import {
  type ClaimOutcome,
  type ClaimRelease,
  type ClaimRequest,
  type Completion,
  largeAccountBytes,
} from '@account-import/core'
import { accountKeyText, areOfOneSupplier, refusalOf, nextOfGroup } from '@account-import/core/adapter-kit'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import {
  caseOf,
  compareKeys,
  filledUp,
  hasOneOfKeys,
  importKeyOf,
  type ImportKeyRow,
  importKeyValues,
  instant,
  keyColumns,
  ofImport,
  placeholders,
  tables,
} from '../sql/rows.js'
import { sha256 } from '../sql/crypto.js'
import { batched, type Db, type Session } from '../sql/session.js'
import {
  accountImportOf,
  endOfLine,
  importColumns,
  payloadOf,
  type ReadImportRow,
  recorded,
} from './import-rows.js'
import { fromSupplier, teamText } from './registers.js'

const take = {
  table: tables.processingSlots,
  set: 'claim_token = ?, expires_at = ?',
  where: 'slot < ? AND (claim_token IS NULL OR expires_at <= ?)',
  key: 'slot',
}

const takenText = `SELECT slot FROM ${tables.processingSlots} WHERE claim_token = ?`

/** Takes one free or expired slot below the limit for the claim. False when there is none. */
const takeSlot = async (db: Db, { token, at, expiresAt }: ClaimRequest, limit: number): Promise<boolean> => {
  await db.raw(db.dialect.updateFirst(take), [token, instant.write(expiresAt), limit, instant.write(at)])
  return (await db.select(takenText, [token])).length > 0
}

/** Frees the claim's slot, if the claim still holds it. */
const freeText = `UPDATE ${tables.processingSlots} SET claim_token = NULL, expires_at = NULL WHERE claim_token = ?`

const slotsText = `SELECT expires_at FROM ${tables.processingSlots} WHERE slot < ?`

/** Whether a slot below the limit is free; missing slots are inserted, and free. */
const hasFreeSlot = async (db: Db, { at }: ClaimRequest, limit: number): Promise<boolean> => {
  const known = await db.select<Readonly<{ expires_at: string | null }>>(slotsText, [limit])
  if (known.length === limit)
    return known.some(({ expires_at }) => expires_at === null || instant.read(expires_at) <= at)
  // A slot that exists, or that another server inserts at the same time, is not changed.
  const orKeep = db.dialect.orUpdate(['slot'], (incoming) => [['slot', incoming('slot')]])
  const slots = Array.from({ length: limit }, (_, slot) => slot)
  await db.raw(
    `INSERT INTO ${tables.processingSlots} (slot) VALUES ${slots.map(() => '(?)').join(', ')} ${orKeep}`,
    slots,
  )
  return true
}

/**
 * The row of an import, and whether the precondition of the claims holds; the columns of the import are NULL where there is none.
 */
type SeenRow = ReadImportRow & Readonly<{ payload: string | null; data_key: string | null; is_met: 0 | 1 }>

/**
 * Reads the imports and the precondition in one statement. It locks nothing under READ COMMITTED, which all connections have. A
 * created import needs no payload, and a long one is read alone.
 */
const seenText = ({ bytesOf }: SqlDialect, precondition: string, count: number): string =>
  `SELECT is_met, ${importColumns}, data_key, ` +
  `CASE WHEN platform_account_number IS NULL AND ${bytesOf('payload')} <= ${largeAccountBytes} THEN payload END AS payload ` +
  `FROM (SELECT ${precondition} AS is_met) checked LEFT JOIN ${tables.accountImports} ` +
  `ON organisation = ? AND import_supplier = ? AND external_account_number IN (${placeholders(count)})`

const supplierAndNumbers = (claims: readonly Pick<ClaimRequest, 'key'>[]): readonly string[] => [
  ...importKeyValues((claims as readonly [ClaimRequest])[0].key).slice(0, 2),
  ...claims.map(({ key }) => key.externalAccountNumber),
]

const preconditionText = `EXISTS (SELECT code ${fromSupplier}) AND EXISTS (${teamText})`

/** A claim that may be taken while its import is unchanged. */
type OpenClaim = Readonly<{ request: ClaimRequest; row: SeenRow }>

const claimedOf = async (
  { dataKeys }: Pick<Db, 'dataKeys'>,
  { request: { key }, row: { staged_version, payload, data_key } }: OpenClaim,
): Promise<ClaimOutcome> => ({
  _tag: 'claimed',
  version: staged_version,
  payload: payload === null ? undefined : await payloadOf(dataKeys, key, { payload, data_key }),
})

/** The bindings of `preconditionText`; none without a precondition. */
const preconditionOf = ({ key: { organisation, importSupplier }, precondition }: ClaimRequest) => {
  if (precondition === undefined) return []
  const { supplierRevision, operationsTeam } = precondition
  return [importSupplier, organisation, supplierRevision, operationsTeam, organisation]
}

/** Reads whether each claim may be taken, is taken already, or is refused. The claims are of one group (`isOfGroup`). */
const readClaims = async (
  db: Db,
  requests: readonly ClaimRequest[],
): Promise<readonly (OpenClaim | ClaimOutcome)[]> => {
  const list = filledUp(requests)
  const [first] = list as readonly [ClaimRequest]
  const asked = preconditionOf(first)
  const rows = await db.select<SeenRow>(
    seenText(db.dialect, asked.length === 0 ? '1' : preconditionText, list.length),
    [...asked, ...supplierAndNumbers(list)],
  )
  const found = new Map(rows.map((row) => [row.external_account_number, row]))
  const isMet = Boolean(rows[0]?.is_met)
  const check = async (request: ClaimRequest): Promise<OpenClaim | ClaimOutcome> => {
    const row = found.get(request.key.externalAccountNumber)
    if (row !== undefined && row.claim_token === request.token) return claimedOf(db, { request, row })
    if (!isMet) return { _tag: 'precondition_failed' }
    if (row === undefined) return { _tag: 'not_staged' }
    const refusal = refusalOf(accountImportOf(row), request.at)
    return refusal ?? (row.staged_version === 0 ? { _tag: 'not_staged' } : { request, row })
  }
  return Promise.all(requests.map(check))
}

const mayBeClaimed = 'staged_version > 0 AND platform_account_number IS NULL AND skipped = 0'

/** Matches an import without a live claim whose data is of the staging that was read. */
const isAsSeen =
  'external_account_number = ? AND staging_id = ? AND (claim_token IS NULL OR claim_expires_at <= ?)'

const asSeen = ({ request: { key, at }, row }: OpenClaim) => [
  key.externalAccountNumber,
  row.staging_id,
  instant.write(at),
]

/**
 * Takes the claims of unchanged imports in one statement, and returns how many. The claims are of one group (`isOfGroup`), no two
 * for one import. Rows are locked in the order of their key.
 */
const takeImports = (db: Db, claims: readonly OpenClaim[], holdsSlot: boolean): Promise<number> => {
  const list = filledUp(claims)
  const [{ request: first }] = list as readonly [OpenClaim]
  const each = (valueOf: (request: ClaimRequest) => string): readonly string[] =>
    list.flatMap(({ request }) => [request.key.externalAccountNumber, valueOf(request)])
  return db.change(
    `UPDATE ${db.dialect.inOrderOf(tables.accountImports, 'PRIMARY')} SET ` +
      `claim_token = ${caseOf('external_account_number', list.length)}, ` +
      `claim_expires_at = ${caseOf('external_account_number', list.length)}, ` +
      'holds_slot = ?, attempts = attempts + ? ' +
      `WHERE organisation = ? AND import_supplier = ? AND external_account_number IN (${placeholders(list.length)}) ` +
      `AND ${mayBeClaimed} AND (${list.map(() => `(${isAsSeen})`).join(' OR ')})`,
    [
      ...each(({ token }) => token),
      ...each(({ expiresAt }) => instant.write(expiresAt)),
      Number(holdsSlot),
      Number(first.countsAsAttempt),
      ...supplierAndNumbers(list.map(({ request }) => request)),
      ...list.flatMap(asSeen),
    ],
  )
}

/** Takes open claims, and returns how many it took. */
type Take = (claims: readonly OpenClaim[]) => Promise<number | 'over_limit'>

const maxTries = 3

/**
 * Reads the imports, and takes the open claims by an optimistic check. If an import changed in between, reads all of them again,
 * and recognises taken claims by their tokens. An import that changes each time is in progress.
 */
const readAndTake = async (
  session: Session,
  requests: readonly ClaimRequest[],
  take: Take,
): Promise<readonly ClaimOutcome[]> => {
  for (let attempt = 1; ; attempt += 1) {
    const seen = await session.query((db) => readClaims(db, requests))
    const open = seen.filter((each) => 'request' in each)
    const taken = open.length === 0 || attempt > maxTries ? 'in_progress' : await take(open)
    if (typeof taken === 'number' && taken < open.length) continue
    return Promise.all(
      seen.map(async (each) => {
        if (!('request' in each)) return each
        return typeof taken === 'number' ? claimedOf(session, each) : { _tag: taken }
      }),
    )
  }
}

const lockText = `SELECT staged_version FROM ${tables.accountImports} WHERE ${ofImport} AND ${mayBeClaimed} AND ${isAsSeen}`

/**
 * Locks the import first and then a slot, and takes the claim when it has both; without a free slot nothing changes. All
 * transactions lock in this order, so that none deadlock.
 */
const takeWithSlot =
  (session: Session, limit: number): Take =>
  (claims) =>
    session.transaction(async (db) => {
      const [claim] = claims as readonly [OpenClaim]
      const { request } = claim
      const bindings = [...importKeyValues(request.key), ...asSeen(claim)]
      if ((await db.select(`${lockText} ${db.dialect.forUpdate}`, bindings)).length === 0) return 0
      return (await takeSlot(db, request, limit)) ? takeImports(db, claims, true) : 'over_limit'
    })

/**
 * The rows of slots are inserted when a claim first finds none free. While some are missing the limit is not reached: they are
 * inserted, and the claim is tried again.
 */
const claimWithinLimit = async (
  session: Session,
  request: ClaimRequest,
  limit: number,
): Promise<ClaimOutcome> => {
  for (let attempt = 1; ; attempt += 1) {
    const [outcome] = await readAndTake(session, [request], takeWithSlot(session, limit))
    const isLast = outcome?._tag !== 'over_limit' || attempt === maxTries
    if (isLast || !(await session.query((db) => hasFreeSlot(db, request, limit))))
      return outcome as ClaimOutcome
  }
}

/** Claims that go together are of one supplier, have one precondition, and all count as attempts or none does. */
const isOfGroup = (first: ClaimRequest, { key, countsAsAttempt, precondition }: ClaimRequest): boolean =>
  areOfOneSupplier(first.key, key) &&
  first.countsAsAttempt === countsAsAttempt &&
  first.precondition?.supplierRevision === precondition?.supplierRevision &&
  first.precondition?.operationsTeam === precondition?.operationsTeam

type HeldRow = ImportKeyRow & Readonly<{ claim_token: string | null; holds_slot: 0 | 1 }>

const heldColumns = [...keyColumns, 'claim_token', 'holds_slot'].join(', ')

/**
 * The claims whose tokens their imports still have, in the order of their keys. Locks the imports until the transaction ends, and
 * frees the slots of these claims in it.
 */
const endableClaims = async <A extends Pick<ClaimRequest, 'key' | 'token'>>(
  db: Db,
  claims: readonly A[],
): Promise<readonly A[]> => {
  if (claims.length === 0) return []
  const sorted = claims.toSorted((a, b) => compareKeys(a.key, b.key))
  const { sql, bindings } = hasOneOfKeys(sorted.map(({ key }) => key))
  const rows = await db.select<HeldRow>(
    `SELECT ${heldColumns} FROM ${db.dialect.inOrderOf(tables.accountImports, 'PRIMARY')} ` +
      `WHERE (${sql}) AND claim_token IS NOT NULL AND platform_account_number IS NULL ${db.dialect.forUpdate}`,
    bindings,
  )
  const found = new Map(rows.map((row) => [accountKeyText(importKeyOf(row)), row]))
  const rowOf = ({ key }: A): HeldRow | undefined => found.get(accountKeyText(key))
  const held = sorted.filter((claim) => rowOf(claim)?.claim_token === claim.token)
  for (const claim of held) if (rowOf(claim)?.holds_slot) await db.raw(freeText, [claim.token])
  return held
}

/** MySQL assigns from left to right: `claim_token`, which selects the completion of each row, comes last. */
const textOf = (dialect: SqlDialect, condition: string, count: number): string =>
  `UPDATE ${dialect.inOrderOf(tables.accountImports, 'PRIMARY')} SET state = 'created', ` +
  `${recorded(caseOf('claim_token', count))}, ` +
  `platform_account_number = ${caseOf('claim_token', count)}, ` +
  `account_created_at = ${caseOf('claim_token', count)}, ` +
  'created_version = staged_version, latest_failure_code = NULL, latest_failure_at = NULL, ' +
  'holds_slot = 0, claim_expires_at = NULL, claim_token = NULL ' +
  `WHERE (${condition}) AND claim_token IN (${placeholders(count)}) AND platform_account_number IS NULL`

const lineOf = ({ platformAccountNumber: subject, at, by }: Completion): string =>
  endOfLine({ at, what: 'created', by, subject, after: sha256(subject) })

/** Marks the imports of these claims created in one statement, in the order of keys, and returns how many. */
const markCreated = async (db: Db, completions: readonly Completion[], only = ''): Promise<number> => {
  const [first] = completions
  if (first === undefined) return 0
  const list = filledUp(completions)
  const { sql, bindings } = hasOneOfKeys(list.map(({ key }) => key))
  return db.change(textOf(db.dialect, sql, list.length) + only, [
    ...list.flatMap((completion) => [completion.token, lineOf(completion)]),
    instant.write(first.at),
    ...list.flatMap(({ token, platformAccountNumber }) => [token, platformAccountNumber]),
    ...list.flatMap(({ token, at }) => [token, instant.write(at)]),
    ...bindings,
    ...list.map(({ token }) => token),
  ])
}

const ended = `UPDATE ${tables.accountImports} SET claim_token = NULL, claim_expires_at = NULL, holds_slot = 0`
const failed = `, latest_failure_code = ?, latest_failure_at = ?, ${recorded()}`

const end = (db: Db, { key, failure, by }: ClaimRelease): PromiseLike<unknown> => {
  const ofKey = importKeyValues(key)
  if (failure === undefined) return db.raw(`${ended} WHERE ${ofImport}`, ofKey)
  const { code, at } = failure
  const now = instant.write(at)
  const line = endOfLine({ at, what: 'failed', by, subject: code })
  return db.raw(`${ended}${failed} WHERE ${ofImport}`, [code, now, line, now, ...ofKey])
}

/** The operations of the imports on claims. */
export const sqlClaims = (session: Session) => {
  const { inTransaction, query, transaction } = session
  const claim = batched(
    session,
    'claim',
    // No transaction is needed, because an import does not change under a claim.
    (requests: readonly ClaimRequest[]) =>
      readAndTake(session, requests, (claims) => query((db) => takeImports(db, claims, false))),
    // Larger batches save little, and hold locks for longer.
    (waiting) => nextOfGroup(waiting, isOfGroup, { maxItems: 16, maxBytes: Infinity, bytesOf: () => 0 }),
  )
  return {
    /** Joins claims that wait at the same time. Under a limit each claim runs alone, because it needs a slot. */
    claim: async (requests: readonly ClaimRequest[], limit: number | undefined): Promise<ClaimOutcome[]> => {
      if (limit === undefined) return Promise.all(requests.map(claim))
      const outcomes: ClaimOutcome[] = []
      for (const request of requests) outcomes.push(await claimWithinLimit(session, request, limit))
      return outcomes
    },
    /** A single completion without a slot needs no read of its claim first. */
    complete: (completions: readonly Completion[]) =>
      transaction(async (db): Promise<readonly ('completed' | 'claim_lost')[]> => {
        if (completions.length === 1 && (await markCreated(db, completions, ' AND holds_slot = 0')) === 1)
          return ['completed']
        const held = await endableClaims(db, completions)
        await markCreated(db, held)
        return completions.map((completion) => (held.includes(completion) ? 'completed' : 'claim_lost'))
      }),
    /** Ends the claims whose tokens are still current, and records their failures. */
    release: inTransaction(async (db, releases: readonly ClaimRelease[]) => {
      for (const held of await endableClaims(db, releases)) await end(db, held)
    }),
  }
}

import type { ClaimOutcome, ClaimRelease, ClaimRequest, Completion } from '@account-import/core'
import { accountKeyText, areOfOneSupplier, refusalOf } from '@account-import/core/adapter-kit'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { importKeyOf, type ImportKeyRow, tables, toSqlInstant } from '../sql/rows.js'
import { sha256 } from '../sql/crypto.js'
import type { Db, Session } from '../sql/session.js'
import {
  caseOf,
  compareKeys,
  filledUp,
  hasOneOfKeys,
  importKeyValues,
  keyColumns,
  placeholders,
  ofImport,
} from '../sql/sql.js'
import {
  accountImportOf,
  type AccountImportRow,
  endOfLine,
  importColumns,
  payloadOf,
  type ReadImportRow,
  recorded,
} from './import-rows.js'

const take = {
  table: tables.processingSlots,
  set: 'claim_token = ?, expires_at = ?',
  where: 'slot < ? AND (claim_token IS NULL OR expires_at <= ?)',
  key: 'slot',
}

const takenText = `SELECT slot FROM ${tables.processingSlots} WHERE claim_token = ?`

/** Takes one free slot of those below the limit for the claim. An expired one is free. False when there is none. */
const takeSlot = async (db: Db, { token, at, expiresAt }: ClaimRequest, limit: number): Promise<boolean> => {
  await db.raw(db.dialect.updateFirst(take), [token, toSqlInstant(expiresAt), limit, toSqlInstant(at)])
  return (await db.select(takenText, [token])).length > 0
}

const freeText = `UPDATE ${tables.processingSlots} SET claim_token = NULL, expires_at = NULL WHERE claim_token = ?`

/** Gives the claim's slot back, if it still has it. */
const freeSlot = async (db: Db, token: string): Promise<void> => {
  await db.raw(freeText, [token])
}

const knownText = `SELECT slot FROM ${tables.processingSlots} WHERE slot < ?`

const makeMissingSlots = async (db: Db, limit: number): Promise<void> => {
  const known = await db.select<Readonly<{ slot: number }>>(knownText, [limit])
  const have = new Set(known.map(({ slot }) => slot))
  const missing = Array.from({ length: limit }, (_, slot) => slot).filter((slot) => !have.has(slot))
  if (missing.length === 0) return
  // One that another server makes at the same time stays as it is.
  const orKeep = db.dialect.orUpdate(['slot'], (incoming) => [['slot', incoming('slot')]])
  const rows = missing.map(() => '(?)').join(', ')
  await db.raw(`INSERT INTO ${tables.processingSlots} (slot) VALUES ${rows} ${orKeep}`, missing)
}

const liveText = `SELECT COUNT(*) AS slots FROM ${tables.processingSlots} WHERE slot < ? AND expires_at > ?`

/** Makes the slots below the limit that are not there yet, and says whether one of them is free now. */
const hasFreeSlot = async (db: Db, { at }: ClaimRequest, limit: number): Promise<boolean> => {
  await makeMissingSlots(db, limit)
  const [taken] = await db.select<Readonly<{ slots: number }>>(liveText, [limit, toSqlInstant(at)])
  return Number(taken?.slots) < limit
}

const mayBeClaimed = 'staged_version > 0 AND platform_account_number IS NULL AND skipped = 0'

const claimableText =
  `SELECT staged_version FROM ${tables.accountImports} WHERE ${ofImport} AND ${mayBeClaimed} ` +
  'AND (claim_token IS NULL OR claim_expires_at <= ?)'

/** Whether the import may be claimed; locks it until the transaction ends. */
const isClaimable = async (db: Db, { key, at }: ClaimRequest): Promise<boolean> => {
  const bindings = [...importKeyValues(key), toSqlInstant(at)]
  return (await db.select(`${claimableText} ${db.dialect.forUpdate}`, bindings)).length > 0
}

/**
 * Takes the claims of those imports that may be claimed, in one statement; answers how many. The requests are of one
 * supplier, all count as attempts or none does, and no two are for one import. Rows are locked in the order of their key.
 */
const takeImports = (
  db: Db,
  requests: readonly [ClaimRequest, ...ClaimRequest[]],
  holdsSlot: boolean,
): Promise<number> => {
  const [{ key, countsAsAttempt }] = requests
  const list = filledUp(requests)
  const numbers = list.map((request) => request.key.externalAccountNumber)
  const each = (valueOf: (request: ClaimRequest) => string): readonly string[] =>
    list.flatMap((request) => [request.key.externalAccountNumber, valueOf(request)])
  const ended = list.map(() => 'OR (external_account_number = ? AND claim_expires_at <= ?)').join(' ')
  return db.change(
    `UPDATE ${db.dialect.inOrderOf(tables.accountImports, 'PRIMARY')} SET ` +
      `claim_token = ${caseOf('external_account_number', list.length)}, ` +
      `claim_expires_at = ${caseOf('external_account_number', list.length)}, ` +
      'holds_slot = ?, attempts = attempts + ? ' +
      `WHERE organisation = ? AND import_supplier = ? AND external_account_number IN (${placeholders(list.length)}) ` +
      `AND ${mayBeClaimed} AND (claim_token IS NULL ${ended})`,
    [
      ...each(({ token }) => token),
      ...each(({ expiresAt }) => toSqlInstant(expiresAt)),
      Number(holdsSlot),
      Number(countsAsAttempt),
      key.organisation,
      key.importSupplier,
      ...numbers,
      ...each(({ at }) => toSqlInstant(at)),
    ],
  )
}

type ClaimedRow = ReadImportRow & Readonly<{ payload: string | null; data_key: string | null }>

/** The imports as they are now, and the payloads of those whose claims are ours. */
const readText = (count: number): string =>
  `SELECT ${importColumns.join(', ')}, CASE WHEN claim_token IN (${placeholders(count)}) THEN payload END AS payload, data_key ` +
  `FROM ${tables.accountImports} ` +
  `WHERE organisation = ? AND import_supplier = ? AND external_account_number IN (${placeholders(count)})`

const outcomeOf = async (
  { dataKeys }: Db,
  row: ClaimedRow | undefined,
  { key, token, at }: ClaimRequest,
): Promise<ClaimOutcome> => {
  if (row === undefined) return { _tag: 'not_staged' }
  const { payload, data_key } = row
  if (payload !== null && row.claim_token === token)
    return {
      _tag: 'claimed',
      version: row.staged_version,
      payload: await payloadOf(dataKeys, key, { payload, data_key }),
    }
  const refusal = refusalOf(accountImportOf(row), at)
  if (refusal !== undefined) return refusal
  // If the row gives no reason, another claim was the reason and has ended since; an account or a mark would be there.
  return { _tag: row.staged_version === 0 ? 'not_staged' : 'in_progress' }
}

/** The outcomes of claims on imports of one supplier, from the imports as they are afterwards. */
const claimOutcomes = async (
  db: Db,
  requests: readonly [ClaimRequest, ...ClaimRequest[]],
): Promise<readonly ClaimOutcome[]> => {
  const [{ key }] = requests
  const list = filledUp(requests)
  const rows = await db.select<ClaimedRow>(readText(list.length), [
    ...list.map(({ token }) => token),
    key.organisation,
    key.importSupplier,
    ...list.map((request) => request.key.externalAccountNumber),
  ])
  const found = new Map(rows.map((row) => [row.external_account_number, row]))
  return Promise.all(
    requests.map((request) => outcomeOf(db, found.get(request.key.externalAccountNumber), request)),
  )
}

/**
 * Takes claims that go together (`nextClaims`), without a limit. Needs no transaction: once taken, nothing changes under
 * a claim, and when the two statements are run again the imports are still ours by their tokens.
 */
export const claimTogether = async (
  session: Session,
  requests: readonly ClaimRequest[],
): Promise<readonly ClaimOutcome[]> => {
  const [first, ...others] = requests
  if (first === undefined) return []
  return session.query(async (db) => {
    await takeImports(db, [first, ...others], false)
    return claimOutcomes(db, [first, ...others])
  })
}

/**
 * Locks the import first and then the slot, and takes the claim when it has both: who finds no slot changes nothing. All
 * transactions lock both in this order, so that none deadlock.
 */
const claimWithSlot = (session: Session, request: ClaimRequest, limit: number): Promise<ClaimOutcome> =>
  session.transaction(async (db) => {
    if (await isClaimable(db, request)) {
      if (!(await takeSlot(db, request, limit))) return { _tag: 'over_limit' }
      await takeImports(db, [request], true)
    }
    const [outcome] = await claimOutcomes(db, [request])
    return outcome as ClaimOutcome
  })

const maxTries = 3

/**
 * Rows for slots are made when a claim first finds none free. As long as some of them are missing, the limit is not
 * reached: they are made, and the claim is tried again.
 */
const claimWithinLimit = async (
  session: Session,
  request: ClaimRequest,
  limit: number,
): Promise<ClaimOutcome> => {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await claimWithSlot(session, request, limit)
    if (outcome._tag !== 'over_limit' || attempt === maxTries) return outcome
    if (!(await session.query((db) => hasFreeSlot(db, request, limit)))) return outcome
  }
}

/** Takes the claims one after the other, in the order of their keys, each for itself. */
export const claimOneByOne = async (
  session: Session,
  requests: readonly ClaimRequest[],
  limit: number | undefined,
): Promise<readonly ClaimOutcome[]> => {
  const outcomes = new Map<ClaimRequest, ClaimOutcome>()
  for (const request of [...requests].sort((a, b) => compareKeys(a.key, b.key))) {
    const outcome =
      limit === undefined
        ? (await claimTogether(session, [request]))[0]
        : await claimWithinLimit(session, request, limit)
    outcomes.set(request, outcome as ClaimOutcome)
  }
  return requests.map((request) => outcomes.get(request) as ClaimOutcome)
}

/** Claims that are taken together at most: more hardly save anything, and hold locks for longer. */
const most = 16

/** The indexes of the claims that go with the first: of its supplier, counted as it is, each of another import. */
export const nextClaims = (waiting: readonly ClaimRequest[]): readonly number[] => {
  const [first] = waiting
  const numbers = new Set<string>()
  const indexes: number[] = []
  for (const [index, { key, countsAsAttempt }] of waiting.entries()) {
    const isLikeFirst = areOfOneSupplier(first?.key, key) && countsAsAttempt === first?.countsAsAttempt
    if (!isLikeFirst || numbers.has(key.externalAccountNumber)) continue
    numbers.add(key.externalAccountNumber)
    indexes.push(index)
    if (indexes.length === most) break
  }
  return indexes
}

type HeldRow = ImportKeyRow & Pick<AccountImportRow, 'claim_token' | 'holds_slot'>

const heldColumns = [...keyColumns, 'claim_token', 'holds_slot'].join(', ')

/**
 * Those claims that are still the ones named, in the order of their keys. Their imports are locked until the transaction
 * ends; the slots of those that hold one are free when it has ended.
 */
const endableClaims = async <A extends Pick<ClaimRequest, 'key' | 'token'>>(
  db: Db,
  claims: readonly A[],
): Promise<readonly A[]> => {
  if (claims.length === 0) return []
  const sorted = claims.toSorted((a, b) => compareKeys(a.key, b.key))
  const { sql, bindings } = hasOneOfKeys(filledUp(sorted.map(({ key }) => key)))
  const rows = await db.select<HeldRow>(
    `SELECT ${heldColumns} FROM ${db.dialect.inOrderOf(tables.accountImports, 'PRIMARY')} ` +
      `WHERE (${sql}) AND claim_token IS NOT NULL AND platform_account_number IS NULL ${db.dialect.forUpdate}`,
    bindings,
  )
  const found = new Map(rows.map((row) => [accountKeyText(importKeyOf(row)), row]))
  const rowOf = ({ key }: A): HeldRow | undefined => found.get(accountKeyText(key))
  const held = sorted.filter((claim) => rowOf(claim)?.claim_token === claim.token)
  for (const claim of held) if (rowOf(claim)?.holds_slot) await freeSlot(db, claim.token)
  return held
}

/** MySQL assigns from left to right: the token, by which each row knows its completion, goes last. */
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

/** Marks the imports created whose claims are the ones named, in one statement; answers how many. In order of keys. */
const markCreated = async (db: Db, completions: readonly Completion[], only = ''): Promise<number> => {
  const [first] = completions
  if (first === undefined) return 0
  const list = filledUp(completions)
  const { sql, bindings } = hasOneOfKeys(list.map(({ key }) => key))
  return db.change(textOf(db.dialect, sql, list.length) + only, [
    ...list.flatMap((completion) => [completion.token, lineOf(completion)]),
    toSqlInstant(first.at),
    ...list.flatMap(({ token, platformAccountNumber }) => [token, platformAccountNumber]),
    ...list.flatMap(({ token, at }) => [token, toSqlInstant(at)]),
    ...bindings,
    ...list.map(({ token }) => token),
  ])
}

/**
 * Marks the imports created whose claims are still the ones named. One alone, if it holds no slot, needs no look at its
 * claim before.
 */
export const complete = (
  session: Session,
  completions: readonly Completion[],
): Promise<readonly ('completed' | 'claim_lost')[]> =>
  session.transaction(async (db) => {
    if (completions.length === 1 && (await markCreated(db, completions, ' AND holds_slot = 0')) === 1)
      return ['completed']
    const held = await endableClaims(db, completions)
    await markCreated(db, held)
    return completions.map((completion) => (held.includes(completion) ? 'completed' : 'claim_lost'))
  })

const ended = `UPDATE ${tables.accountImports} SET claim_token = NULL, claim_expires_at = NULL, holds_slot = 0`
const failed = `, latest_failure_code = ?, latest_failure_at = ?, ${recorded()}`

const end = (db: Db, { key, failure, by }: ClaimRelease): PromiseLike<unknown> => {
  const ofKey = importKeyValues(key)
  if (failure === undefined) return db.raw(`${ended} WHERE ${ofImport}`, ofKey)
  const { code, at } = failure
  const instant = toSqlInstant(at)
  const line = endOfLine({ at, what: 'failed', by, subject: code })
  return db.raw(`${ended}${failed} WHERE ${ofImport}`, [code, instant, line, instant, ...ofKey])
}

/** Ends the claims that are still the ones named, and records their failures. */
export const release = (session: Session, releases: readonly ClaimRelease[]): Promise<void> =>
  session.transaction(async (db) => {
    for (const held of await endableClaims(db, releases)) await end(db, held)
  })

import type { AccountKey, ClaimRelease, Completion } from '@account-import/core'
import { accountKeyText } from '@account-import/core/adapter-kit'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { importKeyOf, type ImportKeyRow, tables, toSqlInstant } from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'
import {
  caseOf,
  compareKeys,
  filledUp,
  hasOneOfKeys,
  importKeyValues,
  keyColumns,
  marks,
  ofImport,
} from '../sql/sql.js'
import { freeSlot } from './claims.js'
import { type AccountImportRow, endOfLine, sha256, withLine } from './import-rows.js'

type HeldRow = ImportKeyRow & Pick<AccountImportRow, 'claim_token' | 'holds_slot'>

const columns = [...keyColumns, 'claim_token', 'holds_slot'].join(', ')

/** Names a claim. */
type NamedClaim = Readonly<{ key: AccountKey; token: string }>

/**
 * Those claims that are still the ones named, in the order of their keys. Their imports are locked until the transaction
 * ends; the slots of those that hold one are free when it has ended.
 */
const endableClaims = async <A extends NamedClaim>(db: Db, claims: readonly A[]): Promise<readonly A[]> => {
  if (claims.length === 0) return []
  const sorted = claims.toSorted((a, b) => compareKeys(a.key, b.key))
  const { sql, bindings } = hasOneOfKeys(filledUp(sorted.map(({ key }) => key)))
  const rows = await db.select<HeldRow>(
    `SELECT ${columns} FROM ${db.dialect.inOrderOf(tables.accountImports, 'PRIMARY')} ` +
      `WHERE (${sql}) AND claim_token IS NOT NULL AND platform_account_number IS NULL ${db.dialect.forUpdate}`,
    bindings,
  )
  const found = new Map(rows.map((row) => [accountKeyText(importKeyOf(row)), row]))
  const rowOf = ({ key }: A): HeldRow | undefined => found.get(accountKeyText(key))
  const held = sorted.filter((claim) => rowOf(claim)?.claim_token === claim.token)
  for (const claim of held) if (rowOf(claim)?.holds_slot) await freeSlot(db, claim.token)
  return held
}

type Completed = 'completed' | 'claim_lost'

/** MySQL assigns from left to right: the token, by which each row knows its completion, goes last. */
const textOf = (dialect: SqlDialect, condition: string, count: number): string =>
  `UPDATE ${dialect.inOrderOf(tables.accountImports, 'PRIMARY')} SET state = 'created', ` +
  `unsealed = ${withLine(tables.accountImports, caseOf('claim_token', count))}, ` +
  'unsealed_since = COALESCE(unsealed_since, ?), ' +
  `platform_account_number = ${caseOf('claim_token', count)}, ` +
  `account_created_at = ${caseOf('claim_token', count)}, ` +
  'created_version = staged_version, latest_failure_code = NULL, latest_failure_at = NULL, ' +
  'holds_slot = 0, claim_expires_at = NULL, claim_token = NULL ' +
  `WHERE (${condition}) AND claim_token IN (${marks(count)}) AND platform_account_number IS NULL`

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
): Promise<readonly Completed[]> =>
  session.transaction(async (db) => {
    if (completions.length === 1 && (await markCreated(db, completions, ' AND holds_slot = 0')) === 1)
      return ['completed']
    const held = await endableClaims(db, completions)
    await markCreated(db, held)
    return completions.map((completion) => (held.includes(completion) ? 'completed' : 'claim_lost'))
  })

const ended = `UPDATE ${tables.accountImports} SET claim_token = NULL, claim_expires_at = NULL, holds_slot = 0`
const failed =
  `, latest_failure_code = ?, latest_failure_at = ?, unsealed = ${withLine(tables.accountImports, '?')}, ` +
  'unsealed_since = COALESCE(unsealed_since, ?)'

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

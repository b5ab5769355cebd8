import { createHmac } from 'node:crypto'
import type {
  AuditEntry,
  AuditFilter,
  AuditTrail,
  ChainHead,
  KeyUse,
  SealCheck,
  SealedEntry,
  Sealing,
} from '@account-import/core'
import { inOrderOfTime, isWanted, sealedText } from '@account-import/core/adapter-kit'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import type { Statements } from '../drivers/statements.js'
import { sqlPortCall, unlessDuplicate } from '../sql/failures.js'
import { type ImportKeyRow, tables, toSqlInstant } from '../sql/rows.js'
import type { Session } from '../sql/session.js'
import { grouped, insertRows, selectRows } from '../sql/sql.js'
import {
  type AuditLogRow,
  auditLogRow,
  clearImports,
  entriesOfImport,
  insertOthers,
  lockedImports,
  lockedOthers,
  type OtherKey,
  otherKeys,
  othersOf,
  removeOthers,
  sealedEntryOf,
  unsealedEntryOf,
  type UnsealedImport,
  unsealedKeys,
  unsealedOf,
  type UnsealedRow,
} from './audit-events.js'
import { sha256 } from './import-rows.js'

type HeadRow = Readonly<{ sequence: number | string; hash: string }>

const headText = `SELECT sequence, hash FROM ${tables.auditLog} WHERE organisation = ? ORDER BY sequence DESC LIMIT 1`

/** The end of an organisation's chain; number 0 and no hash where it has none. */
const headOf = async (db: Statements, organisation: string): Promise<ChainHead> => {
  const [row] = await selectRows<HeadRow>(db, headText, [organisation])
  return { organisation, sequence: Number(row?.sequence ?? 0), hash: row?.hash ?? '' }
}

const nextText = `SELECT organisation FROM ${tables.auditLog} WHERE organisation > ? ORDER BY organisation LIMIT 1`
const firstText = `SELECT organisation FROM ${tables.auditLog} ORDER BY organisation LIMIT 1`

/** The ends of all chains: each organisation is found by the one before it, however long their chains are. */
const chainHeads = async (db: Statements): Promise<readonly ChainHead[]> => {
  const heads: ChainHead[] = []
  for (;;) {
    const last = heads.at(-1)?.organisation
    const [row] = await selectRows<Readonly<{ organisation: string }>>(
      db,
      last === undefined ? firstText : nextText,
      last === undefined ? [] : [last],
    )
    if (row === undefined) return heads
    heads.push(await headOf(db, row.organisation))
  }
}

type Condition = Readonly<{ text: string; value: string | undefined }>

const conditionsOf = ({
  importSupplier,
  externalAccountNumber,
  from,
  until,
}: AuditFilter): readonly Condition[] => [
  { text: 'import_supplier = ?', value: importSupplier },
  { text: 'external_account_number = ?', value: externalAccountNumber },
  { text: 'at >= ?', value: from && toSqlInstant(from) },
  { text: 'at < ?', value: until && toSqlInstant(until) },
]

/** Sealed entries, found by the account where one is named, by their numbers otherwise. */
const sealedPage = async (
  db: Statements,
  dialect: SqlDialect,
  filter: AuditFilter,
  after: number,
  limit: number,
): Promise<readonly SealedEntry[]> => {
  const wanted = conditionsOf(filter).filter(({ value }) => value !== undefined)
  const isOfAccount = filter.importSupplier !== undefined && filter.externalAccountNumber !== undefined
  const rows = await selectRows<AuditLogRow>(
    db,
    `SELECT * FROM ${dialect.inOrderOf(tables.auditLog, isOfAccount ? 'audit_log_accounts' : 'PRIMARY')} ` +
      `WHERE organisation = ? AND sequence > ? ${wanted.map(({ text }) => `AND ${text} `).join('')}` +
      `ORDER BY sequence LIMIT ${limit}`,
    [filter.organisation, after, ...wanted.map(({ value }) => value ?? null)],
  )
  return rows.map(sealedEntryOf)
}

/** Entries of as many pages of rows as there are until `limit` are wanted. What is wanted is said by no statement alone. */
const wantedOf = async <Row>(
  filter: AuditFilter,
  limit: number,
  pageAfter: (last: Row | undefined) => Promise<readonly Row[]>,
  entriesIn: (row: Row) => readonly AuditEntry[],
): Promise<readonly AuditEntry[]> => {
  const found: AuditEntry[] = []
  let last: Row | undefined
  for (;;) {
    const rows = await pageAfter(last)
    found.push(...rows.flatMap(entriesIn).filter(isWanted(filter)))
    if (rows.length < limit || found.length >= limit) return found
    last = rows.at(-1)
  }
}

/** Entries that are not sealed yet: those of imports, and then the others. */
const unsealedPage = async (
  db: Statements,
  dialect: SqlDialect,
  filter: AuditFilter,
  limit: number,
): Promise<readonly AuditEntry[]> => [
  ...(await wantedOf<UnsealedImport>(
    filter,
    limit,
    (last) => unsealedOf(db, dialect, filter, last, limit),
    entriesOfImport,
  )),
  ...(await wantedOf<UnsealedRow>(
    filter,
    limit,
    (last) => othersOf(db, filter, last, limit),
    (row) => [unsealedEntryOf(row)],
  )),
]

/** How the text of an entry is sealed, and whether a seal is that of a text. */
type Seals = Readonly<{ sealOf(text: string): string; check(text: string, seal: string): SealCheck }>

const idLength = 16

/** The same wherever the key is read, and no help in finding the key. */
const idOf = (key: string): string =>
  createHmac('sha256', key).update('audit key').digest('base64url').slice(0, idLength)

const keyedForm = new RegExp(`^([\\w-]{${idLength}}):[\\w-]{43}$`)

const checked = (isIntact: boolean): SealCheck => ({ _tag: isIntact ? 'intact' : 'changed' })

/**
 * Seals with the first of the keys, by `<id of the key>:<HMAC-SHA-256 in base64url>`, and knows the seals of all of them; without
 * any by a SHA-256 in hexadecimal.
 */
const sealsWith = (keys: readonly string[]): Seals => {
  const known = new Map(keys.map((key) => [idOf(key), key]))
  const keyed = (id: string, key: string, text: string): string =>
    `${id}:${createHmac('sha256', key).update(text).digest('base64url')}`
  const [current] = known
  return {
    sealOf: (text) => (current === undefined ? sha256(text) : keyed(...current, text)),
    check: (text, seal) => {
      const id = keyedForm.exec(seal)?.[1]
      if (id === undefined) return checked(keys.length === 0 && sha256(text) === seal)
      const key = known.get(id)
      return key === undefined ? { _tag: 'key_missing', key: id } : checked(keyed(id, key, text) === seal)
    },
  }
}

/** Each entry in its place after the end of a chain. */
const chained = (
  head: ChainHead,
  entries: readonly AuditEntry[],
  sealOf: Seals['sealOf'],
): readonly SealedEntry[] => {
  let { sequence, hash } = head
  return entries.map((entry) => {
    sequence += 1
    hash = sealOf(sealedText(hash, sequence, entry))
    return { sequence, entry, hash }
  })
}

const elsewhere = -1

/**
 * Moves entries of one organisation to the end of its chain; answers how many. The end is read first, then what waits is
 * locked: what another sealer has moved meanwhile is not there any more, or the number after that end is taken, which the key
 * of the table refuses. Nothing else touches the end of a chain, so no request waits for it.
 */
const sealOrganisation = (
  { dialect, transaction }: Session,
  sealOf: Seals['sealOf'],
  organisation: string,
  keys: Readonly<{ imports: readonly ImportKeyRow[]; others: readonly OtherKey[] }>,
): Promise<number> =>
  unlessDuplicate(
    () =>
      transaction(async (db) => {
        const head = await headOf(db, organisation)
        const imports = await lockedImports(db, dialect, keys.imports)
        const others = await lockedOthers(db, dialect, keys.others)
        const entries = inOrderOfTime([
          ...imports.map(entriesOfImport),
          ...others.map((row) => [unsealedEntryOf(row)]),
        ])
        if (entries.length === 0) return 0
        await insertRows(db, dialect, tables.auditLog, chained(head, entries, sealOf).map(auditLogRow))
        await clearImports(db, dialect, imports)
        await removeOthers(db, others)
        return entries.length
      }),
    elsewhere,
  )

/** Seals what waits longest, organisation by organisation, each in a transaction of its own. */
const seal = async (session: Session, sealOf: Seals['sealOf'], limit: number): Promise<Sealing> => {
  const imports = await session.query((db) => unsealedKeys(db, session.dialect, limit))
  const others = await session.query((db) => otherKeys(db, limit))
  const importsOf = grouped(imports, ({ organisation }) => organisation)
  const othersOf = grouped(others, ({ organisation }) => organisation)
  let entries = 0
  for (const organisation of new Set([...imports, ...others].map((row) => row.organisation))) {
    const keys = { imports: importsOf(organisation), others: othersOf(organisation) }
    const sealed = await sealOrganisation(session, sealOf, organisation, keys)
    if (sealed === elsewhere) return { _tag: 'elsewhere' }
    entries += sealed
  }
  if (entries === 0 && imports.length + others.length > 0) return { _tag: 'elsewhere' }
  return { _tag: 'sealed', entries, more: imports.length === limit || others.length === limit }
}

const findText = `SELECT network FROM ${tables.apiKeyNetworks} WHERE api_key_id = ? AND network = ?`

/** Keeps the network of a first use; false where it is there. The key of the table decides of several at once. */
const noteNetwork = (
  db: Statements,
  dialect: SqlDialect,
  { apiKeyId, network, ifNew }: KeyUse,
): Promise<boolean> =>
  unlessDuplicate(async () => {
    const row = { api_key_id: apiKeyId, network, first_used_at: toSqlInstant(ifNew.at) }
    await insertRows(db, dialect, tables.apiKeyNetworks, [row])
    return true
  }, false)

/** A use from a known network costs a statement, and one for its entry; a first one is kept together with what is said of it. */
const recordUse = async ({ dialect, query, transaction }: Session, use: KeyUse): Promise<void> => {
  const { apiKeyId, network, entry, ifNew } = use
  const always = entry === undefined ? [] : [entry]
  const known = await query((db) => selectRows(db, findText, [apiKeyId, network]))
  if (known.length > 0) return query((db) => insertOthers(db, dialect, always))
  return transaction(async (db) => {
    const isNew = await noteNetwork(db, dialect, use)
    await insertOthers(db, dialect, isNew ? [...always, ifNew] : always)
  })
}

const call = sqlPortCall('auditTrail')

const record = (session: Session, entries: readonly AuditEntry[]): Promise<void> =>
  session.query((db) => insertOthers(db, session.dialect, entries))

/** How entries are recorded, inside a unit of work too. */
export const sqlAuditRecord = (session: Session): Pick<AuditTrail, 'record'> => ({
  record: (entries) => call('record', () => record(session, entries)),
})

/** The record. With keys its hashes are HMACs, made with the first of them: who does not have the key cannot make them. */
export const sqlAuditTrail = (session: Session, keys: readonly string[]): AuditTrail => {
  const seals = sealsWith(keys)
  const { dialect, query } = session
  return {
    ...sqlAuditRecord(session),
    seal: (limit) => call('seal', () => seal(session, seals.sealOf, limit)),
    sealed: (filter, after, limit) =>
      call('sealed', () => query((db) => sealedPage(db, dialect, filter, after, limit))),
    unsealed: (filter, limit) =>
      call('unsealed', () => query((db) => unsealedPage(db, dialect, filter, limit))),
    heads: () => call('heads', () => query(chainHeads)),
    recordUse: (use) => call('recordUse', () => recordUse(session, use)),
    checkSeal: (previous, { sequence, entry, hash }) =>
      call('checkSeal', async () => seals.check(sealedText(previous, sequence, entry), hash)),
  }
}

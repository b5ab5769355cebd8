import { createHmac } from 'node:crypto'
import type {
  Actor,
  AuditEntry,
  AuditTrail,
  ChainHead,
  SealCheck,
  SealedEntry,
  Sealing,
} from '@account-import/core'
import { sealedText } from '@account-import/core/adapter-kit'
import { sha256 } from '../sql/crypto.js'
import { sqlPort, unlessDuplicate } from '../sql/failures.js'
import { grouped, instant, plain, recordTable, type Row, tables } from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'
import { insertOthers, lockedEntries, unsealedPage, waitingKeys } from './audit-events.js'

type Logged = Omit<AuditEntry, 'by' | 'before' | 'after'> &
  Actor &
  Readonly<{ sequence: number; beforeHash: string | undefined; afterHash: string | undefined; hash: string }>

const auditLog = recordTable<Logged>(tables.auditLog, {
  organisation: plain(),
  sequence: plain(),
  at: instant,
  what: plain(),
  who: plain(),
  requestId: plain(),
  importSupplier: plain(),
  externalAccountNumber: plain(),
  subject: plain(),
  beforeHash: plain(),
  afterHash: plain(),
  hash: plain(),
})

const auditLogRow = ({ sequence, hash, entry: { by, before, after, ...entry } }: SealedEntry): Row =>
  auditLog.rowOf({ ...entry, ...by, sequence, beforeHash: before, afterHash: after, hash })

/** A forged row is returned unchanged: the chain reveals the change. */
const sealedEntryOf = ({
  sequence,
  hash,
  who,
  requestId,
  beforeHash: before,
  afterHash: after,
  ...entry
}: Logged): SealedEntry => ({
  sequence,
  hash,
  entry: { ...entry, by: { who, requestId }, before, after },
})

type HeadRow = Readonly<{ sequence: number | string; hash: string }>

const headText = `SELECT sequence, hash FROM ${tables.auditLog} WHERE organisation = ? ORDER BY sequence DESC LIMIT 1`

/** The head of an organisation's chain; sequence 0 and no hash where there is none. */
const headOf = async (db: Db, organisation: string): Promise<ChainHead> => {
  const [row] = await db.select<HeadRow>(headText, [organisation])
  return { organisation, sequence: Number(row?.sequence ?? 0), hash: row?.hash ?? '' }
}

const nextText = `SELECT organisation FROM ${tables.auditLog} WHERE organisation > ? ORDER BY organisation LIMIT 1`
const firstText = `SELECT organisation FROM ${tables.auditLog} ORDER BY organisation LIMIT 1`

/** Seals a text, and compares a seal with a text. */
type Seals = Readonly<{ sealOf(text: string): string; check(text: string, seal: string): SealCheck }>

const idLength = 16

/** Equal on every server that reads the key, and reveals nothing of it. */
const idOf = (key: string): string =>
  createHmac('sha256', key).update('audit key').digest('base64url').slice(0, idLength)

const keyedForm = new RegExp(`^([\\w-]{${idLength}}):[\\w-]{43}$`)

const checked = (isIntact: boolean): SealCheck => ({ _tag: isIntact ? 'intact' : 'changed' })

/**
 * Seals with the first of the keys, by `<id of the key>:<HMAC-SHA-256 in base64url>`, and checks seals of all of them. Without
 * keys, a seal is a SHA-256 in hexadecimal.
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

/** Appends entries to a chain: each gets the next sequence number and a seal over the one before. */
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
 * Moves entries of one organisation to the end of its chain, and returns how many. It reads the head first, and then locks the
 * entries: if another sealer was faster, its entries are gone, or the next sequence number is taken and the key of the table
 * refuses the insert. Only sealers touch the end of a chain, so no request waits for it.
 */
const sealOrganisation = (
  { transaction }: Session,
  sealOf: Seals['sealOf'],
  organisation: string,
  keys: Parameters<typeof lockedEntries>[1],
): Promise<number> =>
  unlessDuplicate(
    () =>
      transaction(async (db) => {
        const head = await headOf(db, organisation)
        const { entries, remove } = await lockedEntries(db, keys)
        if (entries.length === 0) return 0
        await db.insert(tables.auditLog, chained(head, entries, sealOf).map(auditLogRow))
        await remove()
        return entries.length
      }),
    elsewhere,
  )

/** Seals the entries that have waited longest, organisation by organisation, each in its own transaction. */
const seal = async (session: Session, sealOf: Seals['sealOf'], limit: number): Promise<Sealing> => {
  const { imports, others } = await waitingKeys(session, limit)
  const importsOf = grouped(imports, ({ organisation }) => organisation)
  const othersOf = grouped(others, ({ organisation }) => organisation)
  let entries = 0
  for (const organisation of new Set([...importsOf.keys(), ...othersOf.keys()])) {
    const keys = { imports: importsOf.get(organisation) ?? [], others: othersOf.get(organisation) ?? [] }
    const sealed = await sealOrganisation(session, sealOf, organisation, keys)
    if (sealed === elsewhere) return { _tag: 'elsewhere' }
    entries += sealed
  }
  if (entries === 0 && imports.length + others.length > 0) return { _tag: 'elsewhere' }
  return { _tag: 'sealed', entries, more: imports.length === limit || others.length === limit }
}

const findText = `SELECT network FROM ${tables.apiKeyNetworks} WHERE api_key_id = ? AND network = ?`

/**
 * The audit log; a unit of work only adds to it. With keys its hashes are HMACs of the first key, which nobody can make without
 * it.
 */
export const sqlAuditTrail = (session: Session, keys: readonly string[] = []): AuditTrail => {
  const seals = sealsWith(keys)
  const { inQuery, query, transaction } = session
  return sqlPort<AuditTrail>('auditTrail', {
    record: inQuery(insertOthers),
    seal: (limit) => seal(session, seals.sealOf, limit),
    // Uses the index of the account where the filter names one, and the sequence otherwise.
    sealed: inQuery(
      async (db, { organisation, importSupplier, externalAccountNumber, from, until }, after, limit) => {
        const wanted = [
          ['import_supplier = ?', importSupplier],
          ['external_account_number = ?', externalAccountNumber],
          ['at >= ?', from && instant.write(from)],
          ['at < ?', until && instant.write(until)],
        ].filter(([, value]) => value !== undefined)
        const isOfAccount = importSupplier !== undefined && externalAccountNumber !== undefined
        const table = db.dialect.inOrderOf(tables.auditLog, isOfAccount ? 'audit_log_accounts' : 'PRIMARY')
        const rows = await db.page<Row>(
          `SELECT * FROM ${table} WHERE ${['organisation = ?', ...wanted.map(([text]) => text)].join(' AND ')}`,
          [organisation, ...wanted.map(([, value = '']) => value)],
          { order: ['sequence'], after: [after], limit },
        )
        return rows.map((row) => sealedEntryOf(auditLog.recordOf(row)))
      },
    ),
    unsealed: inQuery(unsealedPage),
    // Finds each organisation by the one before it, for chains of any length.
    heads: inQuery(async (db) => {
      const heads: ChainHead[] = []
      for (;;) {
        const last = heads.at(-1)?.organisation
        const [row] = await db.select<Readonly<{ organisation: string }>>(
          last === undefined ? firstText : nextText,
          last === undefined ? [] : [last],
        )
        if (row === undefined) return heads
        heads.push(await headOf(db, row.organisation))
      }
    }),
    // A use from a known network costs one statement, and one for its entry; a first use and its entries share a transaction.
    recordUse: async ({ apiKeyId, network, entry, ifNew }) => {
      const always = entry === undefined ? [] : [entry]
      const known = await query((db) => db.select(findText, [apiKeyId, network]))
      if (known.length > 0) return query((db) => insertOthers(db, always))
      return transaction(async (db) => {
        const row = { api_key_id: apiKeyId, network, first_used_at: instant.write(ifNew.at) }
        // The key of the table accepts one of several concurrent first uses.
        const isNew = await db.insertNew(tables.apiKeyNetworks, [row])
        await insertOthers(db, isNew ? [...always, ifNew] : always)
      })
    },
    checkSeal: async (previous, { sequence, entry, hash }) =>
      seals.check(sealedText(previous, sequence, entry), hash),
  })
}

import { createHmac } from 'node:crypto'
import type {
  AccountKey,
  AuditTrail,
  ChainHead,
  SealCheck,
  SealedBlock,
  Sealing,
  StoredEvent,
} from '@account-import/core'
import { compareCodePoints, sealedText } from '@account-import/core/adapter-kit'
import { sha256 } from '../sql/crypto.js'
import { distinctIn, type Owner } from '../sql/owners.js'
import { LostRace, sqlPort, unlessDuplicate } from '../sql/failures.js'
import {
  filledUp,
  grouped,
  importKeyOf,
  instant,
  ofSupplier,
  placeholders,
  plain,
  recordTable,
  type Row,
  tables,
} from '../sql/rows.js'
import type { Db, PoolSession, Session } from '../sql/session.js'
import {
  chainPage,
  eventColumns,
  insertEvents,
  insertSealed,
  sealedPage,
  unsealedOf,
  unsealedPage,
  waitingOwners,
} from './audit-events.js'
import {
  lockEvents,
  removeEvents,
  unsealedOfImports,
  type WaitingImport,
  waitingImports,
} from './import-events.js'

const auditBlocks = recordTable<SealedBlock>(tables.auditBlocks, {
  organisation: plain(),
  block: plain(),
  events: plain(),
  hash: plain(),
})

const blockOf = (row: Row): SealedBlock => {
  const { block, ...others } = auditBlocks.recordOf(row)
  return { ...others, block: Number(block) }
}

const headText = `SELECT * FROM ${tables.auditBlocks} WHERE organisation = ? ORDER BY block DESC LIMIT 1`

/** The head of an organisation's chain; number 0 and no hash where there is none. */
const headOf = async (db: Db, organisation: string): Promise<ChainHead> => {
  const [row] = await db.select<Row>(headText, [organisation])
  const { block, hash } = row === undefined ? { block: 0, hash: '' } : blockOf(row)
  return { organisation, block, hash }
}

/** The organisations in a table whose key begins with them. */
const organisationsIn = async (db: Db, table: string): Promise<readonly string[]> =>
  (await distinctIn<Pick<Owner, 'organisation'>>(db, table, ['organisation'])).map(
    ({ organisation }) => organisation,
  )

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

/** The suppliers of an organisation with unsealed events in the table of events, and its imports with events in their rows. */
type Places = Readonly<{
  organisation: string
  owners: readonly Owner[]
  imports: readonly AccountKey[]
}>

/** Unsealed events of one place, of which the first `count` are sealed. */
type Waiting = Readonly<{ events: readonly StoredEvent[]; from: Owner | WaitingImport }>
type Sealed = Waiting & Readonly<{ count: number }>

const isImport = (from: Waiting['from']): from is WaitingImport => 'row' in from

/** The unsealed events of an organisation that wait longest, at most `limit`: of an import in the order of its changes. */
const oldestOf = async (db: Db, { owners, imports }: Places, limit: number): Promise<readonly Sealed[]> => {
  const found: Waiting[] = (await lockEvents(db, imports)).map((from) => ({ events: from.events, from }))
  for (const from of owners)
    for (const event of await unsealedOf(db, from, limit)) found.push({ events: [event], from })
  const first = ({ events }: Waiting): string => events[0]?.id ?? ''
  let left = limit
  return found
    .toSorted((one, other) => compareCodePoints(first(one), first(other)))
    .flatMap((waiting): readonly Sealed[] => {
      const count = Math.min(left, waiting.events.length)
      left -= count
      return count === 0 ? [] : [{ ...waiting, count }]
    })
}

const moved = (count: number): string => `${ofSupplier} AND id IN (${placeholders(count)})`

/** Moves unsealed events of a supplier from the table of events to the audit log, as events of a block. */
const move = async (
  db: Db,
  { organisation, import_supplier }: Owner,
  block: number,
  events: readonly StoredEvent[],
): Promise<void> => {
  const ids = filledUp(events.map(({ id }) => id))
  const wanted = [organisation, import_supplier, ...ids]
  const source = `FROM ${db.dialect.inOrderOf(tables.auditUnsealed, 'PRIMARY')} WHERE ${moved(ids.length)}`
  await db.raw(
    `INSERT INTO ${tables.auditLog} (block, ${eventColumns}) SELECT ?, ${eventColumns} ${source}`,
    [block, ...wanted],
  )
  const removed = await db.change(`DELETE FROM ${tables.auditUnsealed} WHERE ${moved(ids.length)}`, wanted)
  if (removed !== events.length) throw new LostRace()
}

const sealedIn = ({ events, count }: Sealed): readonly StoredEvent[] => events.slice(0, count)

/** Moves the events of all places to the audit log. */
const moveAll = async (db: Db, block: number, sealed: readonly Sealed[]): Promise<void> => {
  for (const [from, places] of grouped(sealed, (each) => each.from))
    if (!isImport(from)) await move(db, from, block, places.flatMap(sealedIn))
  const ofImports = sealed.flatMap((each) => (isImport(each.from) ? [{ ...each, row: each.from.row }] : []))
  await insertSealed(db, block, ofImports.flatMap(sealedIn))
  await removeEvents(db, ofImports)
}

/**
 * Seals the oldest events of an organisation as its next block, and returns how many. It reads the head before the events: if
 * another sealer was faster, its events are gone, or the key of the table refuses the block, and this one seals none. Only sealers touch the blocks, and a
 * change of an import waits only while its own events are moved.
 */
const sealBlock = (
  { transaction }: Session,
  sealOf: Seals['sealOf'],
  places: Places,
  limit: number,
): Promise<number> =>
  unlessDuplicate(
    () =>
      transaction(async (db) => {
        const { organisation, block: last, hash: previous } = await headOf(db, places.organisation)
        const sealed = await oldestOf(db, places, limit)
        const events = sealed.flatMap(sealedIn).toSorted((one, other) => compareCodePoints(one.id, other.id))
        if (events.length === 0) return 0
        const block = { organisation, block: last + 1, events: events.length }
        const hash = sealOf(sealedText(previous, block, events))
        await db.insert(tables.auditBlocks, [auditBlocks.rowOf({ ...block, hash })])
        await moveAll(db, block.block, sealed)
        return events.length
      }),
    0,
  )

/** Where events wait, by organisation: all suppliers with events in the table, and the `limit` imports whose events wait longest. */
const waitingPlaces = async (db: Db, limit: number): Promise<readonly Places[]> => {
  const imports = grouped(await waitingImports(db, limit), ({ organisation }) => organisation)
  const owners = grouped(await waitingOwners(db), ({ organisation }) => organisation)
  return [...new Set([...imports.keys(), ...owners.keys()])].map((organisation) => ({
    organisation,
    owners: owners.get(organisation) ?? [],
    imports: (imports.get(organisation) ?? []).map(importKeyOf),
  }))
}

/** Seals a block of each organisation that has unsealed events, each in its own transaction. */
const seal = async (session: Session, sealOf: Seals['sealOf'], limit: number): Promise<Sealing> => {
  const places = await session.query((db) => waitingPlaces(db, limit))
  let events = 0
  let more = places.reduce((sum, { imports }) => sum + imports.length, 0) === limit
  for (const each of places) {
    const sealed = await sealBlock(session, sealOf, each, limit)
    events += sealed
    more ||= sealed === limit
  }
  return { events, more: more || (events === 0 && places.length > 0) }
}

const findText = `SELECT network FROM ${tables.apiKeyNetworks} WHERE api_key_id = ? AND network = ?`

/** Inserts events; one statement is atomic. */
export const sqlAuditRecord = ({ query, transaction }: Session): Pick<AuditTrail, 'record'> =>
  sqlPort<Pick<AuditTrail, 'record'>>('auditTrail', {
    record: (entries) => (entries.length === 1 ? query : transaction)((db) => insertEvents(db, entries)),
  })

/**
 * The audit log. With keys its hashes are HMACs of the first key, which nobody can make without
 * it.
 */
export const sqlAuditTrail = (session: PoolSession, keys: readonly string[] = []): AuditTrail => {
  const seals = sealsWith(keys)
  const { inQuery, query, transaction } = session
  const read = sqlPort<Omit<AuditTrail, 'record'>>('auditTrail', {
    seal: (limit) => seal(session, seals.sealOf, limit),
    oldestUnsealed: inQuery(async (db) => {
      const times = (await waitingOwners(db)).map(({ at }) => at)
      for (const { unsealed_since } of await waitingImports(db, 1)) times.push(unsealed_since)
      return times.map((at) => instant.read(String(at))).sort()[0]
    }),
    events: session.inSnapshot(async (db, filter, after, limit) => {
      const sealed = await sealedPage(db, filter, after, limit)
      if (sealed.length === limit) return sealed
      const waiting = [
        ...(await unsealedPage(db, filter, limit)),
        ...(await unsealedOfImports(db, filter, limit)),
      ]
      return [
        ...sealed,
        ...waiting.toSorted((one, other) => compareCodePoints(one.id, other.id)).slice(0, limit),
      ]
    }),
    chain: session.inSnapshot(async (db, organisation, after, limit) => {
      const rows = await db.page<Row>(
        `SELECT * FROM ${tables.auditBlocks} WHERE organisation = ?`,
        [organisation],
        { order: ['block'], after: after === undefined ? undefined : [after], limit },
      )
      return chainPage(db, organisation, after, rows.map(blockOf), limit)
    }),
    organisations: inQuery(async (db) => {
      const chains = await organisationsIn(db, tables.auditBlocks)
      const logs = await organisationsIn(db, tables.auditLog)
      return [...new Set([...chains, ...logs])].sort(compareCodePoints)
    }),
    heads: inQuery(async (db) => {
      const heads: ChainHead[] = []
      for (const organisation of await organisationsIn(db, tables.auditBlocks))
        heads.push(await headOf(db, organisation))
      return heads
    }),
    // A use from a known network costs one statement, and one for its entry; a first use and its entries share a transaction.
    recordUse: async ({ apiKeyId, network, entry, ifNew }) => {
      const always = entry === undefined ? [] : [entry]
      const known = await query((db) => db.select(findText, [apiKeyId, network]))
      if (known.length > 0) return query((db) => insertEvents(db, always))
      return transaction(async (db) => {
        const row = { api_key_id: apiKeyId, network, first_used_at: instant.write(ifNew.at) }
        // The key of the table accepts one of several concurrent first uses.
        const isNew = await db.insertNew(tables.apiKeyNetworks, [row])
        await insertEvents(db, isNew ? [...always, ifNew] : always)
      })
    },
    checkSeal: async (previous, block, events) =>
      seals.check(sealedText(previous, block, events), block.hash),
  })
  return { ...sqlAuditRecord(session), ...read }
}

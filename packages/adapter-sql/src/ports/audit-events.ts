import { randomBytes } from 'node:crypto'
import type {
  AuditEntry,
  AuditFilter,
  ChainPart,
  Instant,
  SealedBlock,
  SealedEvent,
  SealedPlace,
  StoredEvent,
} from '@account-import/core'
import { chainPartsOf } from '@account-import/core/adapter-kit'
import { distinctIn, type Owner } from '../sql/owners.js'
import { insertedSizes, instant, placeholders, tables } from '../sql/rows.js'
import type { SqlValue } from '../drivers/knex-clients.js'
import type { Db } from '../sql/session.js'

/** The columns of an event, sealed or not. */
const columns = [
  'organisation',
  'import_supplier',
  'id',
  'at',
  'what',
  'who',
  'request_id',
  'external_account_number',
  'subject',
  'before_hash',
  'after_hash',
] as const

/** `columns` as SQL. */
export const eventColumns = columns.join(', ')

type EventRow = Owner &
  Readonly<
    Record<'id' | 'at' | 'what' | 'who', string> &
      Record<
        'request_id' | 'external_account_number' | 'subject' | 'before_hash' | 'after_hash',
        string | null
      >
  >

/** Distinguishes the ids of processes. */
const ofProcess = randomBytes(6).toString('hex')
let counter = 0

/** Ids sort by the time, and then by a counter of this process. */
export const nextEventId = (at: Instant): string => {
  counter += 1
  return Date.parse(at).toString(16).padStart(12, '0') + counter.toString(16).padStart(8, '0') + ofProcess
}

const valuesOf = ({ id, entry }: StoredEvent): readonly SqlValue[] => [
  entry.organisation,
  entry.importSupplier ?? '',
  id,
  instant.write(entry.at),
  entry.what,
  entry.by.who,
  entry.by.requestId ?? null,
  entry.externalAccountNumber ?? null,
  entry.subject ?? null,
  entry.before ?? null,
  entry.after ?? null,
]

const inserts = new Map<number, string>(
  insertedSizes.map((size) => {
    const rows = Array<string>(size).fill(`(${placeholders(columns.length)})`)
    return [size, `INSERT INTO ${tables.auditUnsealed} (${eventColumns}) VALUES ${rows.join(', ')}`]
  }),
)

/** Inserts events, in the transaction of the change that they describe. */
export const insertEvents = async (db: Db, entries: readonly AuditEntry[]): Promise<void> => {
  for (let from = 0; from < entries.length;) {
    const size = insertedSizes.find((each) => each <= entries.length - from) as number
    const events = entries.slice(from, from + size).map((entry) => ({ id: nextEventId(entry.at), entry }))
    const values = events.flatMap(valuesOf)
    await db.raw(inserts.get(size) as string, values as string[])
    from += size
  }
}

/** Inserts events of imports into the audit log, as events of a block. */
export const insertSealed = (db: Db, block: number, events: readonly StoredEvent[]): Promise<void> =>
  db.insert(
    tables.auditLog,
    events.map((event) => {
      const values = valuesOf(event)
      return { block, ...Object.fromEntries(columns.map((column, index) => [column, values[index]])) }
    }),
  )

/** Somebody may have written anything into the columns: what is read then is sealed or found as changed, and never refused. */
const eventOf = (row: EventRow): StoredEvent => ({
  id: row.id,
  entry: {
    organisation: row.organisation,
    at: instant.read(String(row.at)),
    what: row.what as AuditEntry['what'],
    by: { who: row.who, requestId: row.request_id ?? undefined },
    importSupplier: row.import_supplier === '' ? undefined : row.import_supplier,
    externalAccountNumber: row.external_account_number ?? undefined,
    subject: row.subject ?? undefined,
    before: row.before_hash ?? undefined,
    after: row.after_hash ?? undefined,
  },
})

type Condition = Readonly<{ text: string; bindings: readonly string[] }>

const wantedText = (filter: AuditFilter): Condition => {
  const { organisation, importSupplier, externalAccountNumber, from, until } = filter
  const wanted = [
    ['organisation = ?', organisation],
    ['import_supplier = ?', importSupplier],
    ['external_account_number = ?', externalAccountNumber],
    ['at >= ?', from && instant.write(from)],
    ['at < ?', until && instant.write(until)],
  ].filter(([, value]) => value !== undefined)
  return {
    text: wanted.map(([text]) => text).join(' AND '),
    bindings: wanted.map(([, value = '']) => value),
  }
}

/** Uses the index of the account where the filter names one, and the order of the blocks otherwise. */
export const sealedPage = async (
  db: Db,
  filter: AuditFilter,
  after: SealedPlace | undefined,
  limit: number,
): Promise<readonly SealedEvent[]> => {
  const isOfAccount = filter.importSupplier !== undefined && filter.externalAccountNumber !== undefined
  const table = db.dialect.inOrderOf(tables.auditLog, isOfAccount ? 'audit_log_accounts' : 'PRIMARY')
  const { text, bindings } = wantedText(filter)
  const rows = await db.page<EventRow & Readonly<{ block: number | string }>>(
    `SELECT block, ${eventColumns} FROM ${table} WHERE ${text}`,
    bindings,
    {
      order: ['block', 'id'],
      after: after && [after.block, ...(after.id === undefined ? [] : [after.id])],
      limit,
    },
  )
  return rows.map((row) => ({ ...eventOf(row), block: Number(row.block) }))
}

/** More than a block may have, so that a page has a whole block at least. */
const mostEvents = 2000

/** Parts of a chain after a number: `blocks` are the next `limit` ones. Ends before the number whose events were not all read. */
export const chainPage = async (
  db: Db,
  organisation: string,
  after: number | undefined,
  blocks: readonly SealedBlock[],
  limit: number,
): Promise<readonly ChainPart[]> => {
  const place = after === undefined ? undefined : { block: after }
  const events = await sealedPage(db, { organisation }, place, mostEvents)
  const lastBlock = blocks.length < limit ? undefined : blocks.at(-1)?.block
  const cut = events.length < mostEvents ? undefined : events.at(-1)?.block
  const parts = chainPartsOf(blocks, events)
  const whole = parts.filter(
    ({ number }) => !(number > (lastBlock ?? number)) && !(cut !== undefined && number >= cut),
  )
  // More events than a block may have name the first number.
  return (whole.length > 0 ? whole : parts.slice(0, 1)).slice(0, limit)
}

/** Unsealed events that are in no row of an import. */
export const unsealedPage = async (
  db: Db,
  filter: AuditFilter,
  limit: number,
): Promise<readonly StoredEvent[]> => {
  const { text, bindings } = wantedText(filter)
  const rows = await db.page<EventRow>(
    `SELECT ${eventColumns} FROM ${tables.auditUnsealed} WHERE ${text}`,
    bindings,
    { order: ['import_supplier', 'id'], after: undefined, limit },
  )
  return rows.map(eventOf)
}

/** The suppliers that have unsealed events, and the time of the oldest. */
export const waitingOwners = (db: Db): Promise<readonly (Owner & Readonly<Record<'id' | 'at', string>>)[]> =>
  distinctIn(db, tables.auditUnsealed, ['organisation', 'import_supplier'], ['id', 'at'])

const ofOwner = 'organisation = ? AND import_supplier = ?'

/** The oldest unsealed events of a supplier. */
export const unsealedOf = async (db: Db, owner: Owner, limit: number): Promise<readonly StoredEvent[]> =>
  (
    await db.page<EventRow>(
      `SELECT ${eventColumns} FROM ${tables.auditUnsealed} WHERE ${ofOwner}`,
      [owner.organisation, owner.import_supplier],
      { order: ['id'], after: undefined, limit },
    )
  ).map(eventOf)

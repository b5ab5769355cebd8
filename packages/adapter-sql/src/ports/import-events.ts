import {
  type AccountKey,
  type Actor,
  type AuditEntry,
  type AuditFilter,
  type Instant,
  instantOf,
  type StoredEvent,
} from '@account-import/core'
import { unnamedActor } from '@account-import/core/adapter-kit'
import {
  hasOneOfKeys,
  importKeyOf,
  type ImportKeyRow,
  importKeyValues,
  instant,
  keyColumns,
  ofImport,
  tables,
} from '../sql/rows.js'
import type { Db } from '../sql/session.js'
import { nextEventId } from './audit-events.js'

/** An event of an import; its row knows the data before. The store tells stagings of new data and of other data apart. */
export type ImportEvent = Pick<AuditEntry, 'at' | 'what' | 'subject' | 'after'> &
  Readonly<{ by: Actor | undefined }>

/**
 * A line of the column `unsealed` is the version and the hash of the data before the event, and the event as JSON. These are of a
 * row that has no data yet.
 */
const ofNoData = '0  '

/** The line of an event without the data before. */
export const eventLine = ({ at, what, by = unnamedActor, subject, after }: ImportEvent): string => {
  const fields = [nextEventId(at), at, what, by.who, by.requestId ?? null, subject ?? null, after ?? null]
  return `${JSON.stringify(fields)}\n`
}

/** The content of `unsealed` in a new row. `others`: events that follow in the same change, each with the hash of the data before it. */
export const firstLines = (
  first: ImportEvent,
  others: readonly (ImportEvent & Readonly<{ before: string }>)[] = [],
): string =>
  [ofNoData + eventLine(first), ...others.map((each) => `1 ${each.before} ${eventLine(each)}`)].join('')

/** `unsealed` of a row after an event; `line` is an expression for that of `eventLine`. */
export const withLine = (line: string, row = ''): string =>
  `CONCAT(COALESCE(${row}unsealed, ''), ${row}staged_version, ' ', COALESCE(${row}payload_hash, ''), ' ', ${line})`

/** `line` of a row that would be new, for one that is there. */
export const withoutData = (line: string): string => `SUBSTRING(${line}, ${ofNoData.length + 1})`

/** Assignments that append an event. Bindings: those of `line`, and the time of the event. */
export const appending = (line: string): string =>
  `unsealed = ${withLine(line)}, unsealed_since = COALESCE(unsealed_since, ?)`

const isText = (value: unknown): value is string | null =>
  value === null || (typeof value === 'string' && Buffer.from(value).toString() === value)

/** Whether the text is an instant of a day that exists, of which databases take those of four digits. */
const isInstant = (text: string): text is Instant =>
  /^[1-9]\d{3}-.*\.\d{3}Z$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString() === text

const fieldsIn = (json: string): readonly unknown[] => {
  try {
    const fields: unknown = JSON.parse(json)
    return Array.isArray(fields) ? fields : []
  } catch {
    return []
  }
}

const mostCharacters = 64

/** Undefined for a line that somebody has changed so that the audit log cannot take it as an event. */
const eventIn = (line: string, key: AccountKey): StoredEvent | undefined => {
  const [, version, before, json = ''] = /^(\d+) (\w{0,64}) ([^\n]*)\n$/.exec(line) ?? []
  const fields = fieldsIn(json)
  if (fields.length !== 7 || !fields.every(isText)) return undefined
  const [id = '', at = '', what = '', who = '', requestId, subject, after] = fields
  const isShort = [id, what, after].every((text) => (text ?? '').length <= mostCharacters)
  if (id === null || at === null || what === null || who === null || !isShort || !isInstant(at))
    return undefined
  const entry = {
    ...key,
    at,
    what: (what === 'staged' && version !== '0' ? 'restaged' : what) as AuditEntry['what'],
    by: { who, requestId: requestId ?? undefined },
    subject: subject ?? undefined,
    before: before === '' ? undefined : before,
    after: after ?? undefined,
  }
  return { id, entry }
}

type UnsealedRow = ImportKeyRow & Readonly<{ unsealed: string; unsealed_since: string | null }>

/** A line that is no event is the subject of one, so that it is sealed as it is, and delays no other. */
const changedLine = (line: string, { unsealed_since: since, ...row }: UnsealedRow): StoredEvent => {
  const at = since === null ? instantOf(0) : instant.read(since)
  const what = 'unreadable' as string as AuditEntry['what']
  return { id: nextEventId(at), entry: { ...importKeyOf(row), at, what, by: unnamedActor, subject: line } }
}

const linesIn = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

const isNew = (known: Set<string>, { id }: StoredEvent): boolean => !known.has(id) && known.add(id).has(id)

/** The events of a row in the order of its lines. Ids are unique in an organisation: a line with one of `known` is no event. */
const eventsIn = (row: UnsealedRow, known: Set<string>): readonly StoredEvent[] =>
  linesIn(row.unsealed).map((line) => {
    const event = eventIn(line, importKeyOf(row))
    return event !== undefined && isNew(known, event) ? event : changedLine(line, row)
  })

const columns = `${keyColumns.join(', ')}, unsealed_since`

/** Before all instants; a condition that databases find by the index, as they do not for IS NOT NULL. */
const ever = '1000-01-01 00:00:00.000'

const waiting = ({ dialect }: Db, selected: string): string =>
  `SELECT ${selected} FROM ${dialect.foundBy(tables.accountImports, 'account_imports_unsealed')} WHERE unsealed_since > ?`

/** The imports of all organisations with the events that wait longest, and since when. Reads an index, and no row. */
export const waitingImports = (
  db: Db,
  limit: number,
): Promise<readonly (ImportKeyRow & Readonly<{ unsealed_since: string }>)[]> =>
  db.page(waiting(db, columns), [ever], { order: ['unsealed_since'], after: undefined, limit })

/** The events of an import, to be sealed in the transaction that has locked its row. */
export type WaitingImport = Readonly<{ row: UnsealedRow; events: readonly StoredEvent[] }>

/** Locks the rows, but for those that another transaction has locked, which are sealed later: sealing waits for nobody. */
export const lockEvents = async (db: Db, keys: readonly AccountKey[]): Promise<readonly WaitingImport[]> => {
  if (keys.length === 0) return []
  const { sql, bindings } = hasOneOfKeys(keys)
  const known = new Set<string>()
  const rows = await db.select<UnsealedRow>(
    `SELECT ${columns}, unsealed FROM ${db.dialect.inOrderOf(tables.accountImports, 'PRIMARY')} ` +
      `WHERE (${sql}) AND unsealed IS NOT NULL ${db.dialect.forUpdateOfFree}`,
    bindings,
  )
  return rows.map((row) => ({ row, events: eventsIn(row, known) }))
}

/** Removes the first `count` events of locked rows. */
export const removeEvents = async (
  db: Db,
  sealed: readonly Readonly<{ row: UnsealedRow; events: readonly StoredEvent[]; count: number }>[],
): Promise<void> => {
  const whole = sealed.filter(({ events, count }) => count === events.length)
  if (whole.length > 0) {
    const { sql, bindings } = hasOneOfKeys(whole.map(({ row }) => importKeyOf(row)))
    const table = db.dialect.inOrderOf(tables.accountImports, 'PRIMARY')
    await db.change(`UPDATE ${table} SET unsealed = NULL, unsealed_since = NULL WHERE ${sql}`, bindings)
  }
  for (const { row, events, count } of sealed)
    if (count < events.length) {
      const left = { unsealed: linesIn(row.unsealed).slice(count).join('') }
      await db.updateOne(tables.accountImports, left, ofImport, importKeyValues(importKeyOf(row)))
    }
}

const isWithin = ({ from, until }: AuditFilter, { entry: { at } }: StoredEvent): boolean =>
  !(from !== undefined && at < from) && !(until !== undefined && at >= until)

/** At most `limit` events, of the imports whose events wait longest. */
export const unsealedOfImports = async (
  db: Db,
  filter: AuditFilter,
  limit: number,
): Promise<readonly StoredEvent[]> => {
  const named = [
    ['organisation', filter.organisation],
    ['import_supplier', filter.importSupplier],
    ['external_account_number', filter.externalAccountNumber],
  ].filter(([, value]) => value !== undefined)
  const text = [waiting(db, `${columns}, unsealed`), ...named.map(([column]) => `${column} = ?`)].join(
    ' AND ',
  )
  const found: StoredEvent[] = []
  const order = ['unsealed_since', ...keyColumns]
  for (let last: UnsealedRow | undefined; found.length < limit;) {
    const rows: readonly UnsealedRow[] = await db.page<UnsealedRow>(
      text,
      [ever, ...named.map(([, value = '']) => value)],
      { order, after: last && order.map((column) => last?.[column as keyof UnsealedRow] ?? ''), limit },
    )
    found.push(...rows.flatMap((row) => eventsIn(row, new Set())).filter((event) => isWithin(filter, event)))
    if (rows.length < limit) break
    last = rows.at(-1)
  }
  return found.slice(0, limit)
}

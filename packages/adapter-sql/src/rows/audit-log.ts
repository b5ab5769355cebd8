import { instantOf, type AuditEntry, type AuditEvent, type SealedEntry } from '@account-import/core'
import { isAuditEvent, isInstant, unnamedActor } from '@account-import/core/adapter-kit'
import { randomUUID } from 'node:crypto'
import { fromSqlInstant, toSqlInstant } from './instants.js'
import type { NewRow } from './row.js'
import { sha256 } from './unsealed-line.js'

export type AuditLogRow = Readonly<{
  organisation: string
  sequence: number
  at: string
  what: string
  who: string
  request_id: string | null
  import_supplier: string | null
  external_account_number: string | null
  subject: string | null
  before_hash: string | null
  after_hash: string | null
  hash: string
}>

export const auditLogRow = ({ sequence, entry, hash }: SealedEntry): NewRow<AuditLogRow> => ({
  organisation: entry.organisation,
  sequence,
  at: toSqlInstant(entry.at),
  what: entry.what,
  who: entry.by.who,
  request_id: entry.by.requestId,
  import_supplier: entry.importSupplier,
  external_account_number: entry.externalAccountNumber,
  subject: entry.subject,
  before_hash: entry.before,
  after_hash: entry.after,
  hash,
})

/** Whatever somebody has written into a row is given as it is: the chain shows that it was changed. */
export const sealedEntryOf = (row: AuditLogRow): SealedEntry => ({
  sequence: Number(row.sequence),
  hash: row.hash,
  entry: {
    organisation: row.organisation,
    at: fromSqlInstant(row.at),
    what: row.what as AuditEvent,
    by: { who: row.who, requestId: row.request_id ?? undefined },
    importSupplier: row.import_supplier ?? undefined,
    externalAccountNumber: row.external_account_number ?? undefined,
    subject: row.subject ?? undefined,
    before: row.before_hash ?? undefined,
    after: row.after_hash ?? undefined,
  },
})

const parsed = (text: string): AuditEntry | undefined => {
  try {
    const entry = JSON.parse(text) as AuditEntry
    return isInstant(entry.at) && isAuditEvent(entry.what) && typeof entry.by.who === 'string'
      ? entry
      : undefined
  } catch {
    return undefined
  }
}

export type UnsealedRow = Readonly<{
  organisation: string
  /** Empty where the entry concerns no supplier. */
  import_supplier: string
  entry_id: string
  entry: string
}>

/** Begins with the time of the entry, so that the rows of an organisation are in the order of their keys. */
export const unsealedRow = (entry: AuditEntry): UnsealedRow => ({
  organisation: entry.organisation,
  import_supplier: entry.importSupplier ?? '',
  entry_id: `${entry.at} ${randomUUID()}`,
  entry: JSON.stringify(entry),
})

/** An entry that belongs to no import, while it is not sealed. */
export const unsealedEntryOf = ({ organisation, entry_id, entry }: UnsealedRow): AuditEntry => {
  const found = parsed(entry)
  if (found !== undefined) return { ...found, organisation }
  const at = entry_id.slice(0, 24)
  return {
    organisation,
    at: isInstant(at) ? at : instantOf(0),
    what: 'unreadable',
    by: unnamedActor,
    after: sha256(entry),
  }
}

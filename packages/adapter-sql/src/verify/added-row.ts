import { noteContent, toWireDatetime } from '@account-import/core/adapter-kit'
import { fromSqlInstant } from '../rows/instants.js'
import { StoredJsonError } from '../rows/json-column.js'
import { contentDigest, type NoteIdentity } from '../rows/note-identity.js'
import { noteOf, type NoteRow } from '../rows/notes.js'
import { paymentInstructionOf, type PaymentInstructionRow } from '../rows/payment-instructions.js'
import { statementOf, type StatementRow } from '../rows/statements.js'
import { tables } from '../rows/tables.js'
import { transactionOf, type TransactionRow } from '../rows/transactions.js'

type AnyRow = Readonly<Record<string, unknown>>

/** The tables whose lists grow after the creation, and how a row of each is read. */
const readers: ReadonlyMap<string, (row: AnyRow) => unknown> = new Map<string, (row: AnyRow) => unknown>([
  [tables.transactions, (row: AnyRow) => transactionOf(row as TransactionRow)],
  [tables.statements, (row: AnyRow) => statementOf(row as StatementRow)],
  [tables.notes, (row: AnyRow) => noteOf(row as NoteRow)],
  [tables.paymentInstructions, (row: AnyRow) => paymentInstructionOf(row as PaymentInstructionRow)],
])

/** Whether a row that was not staged may be there. */
export const mayBeAdded = (table: string, row: AnyRow): boolean =>
  table === tables.encryptedDetails ||
  (readers.has(table) && (table !== tables.transactions || row['period'] === 'current'))

/** Whether a row that was added is what its columns are for. */
export const isReadable = (table: string, row: AnyRow): boolean => {
  try {
    readers.get(table)?.(row)
    return true
  } catch (cause) {
    if (cause instanceof StoredJsonError) return false
    throw cause
  }
}

/** Whether a note is known by what it holds. Those of servers before there were digests have none. */
export const hasItsIdentity = (row: AnyRow): boolean => {
  const { content_digest: digest, identity_time: time } = row as NoteIdentity &
    Readonly<{ content_digest: string | null }>
  if (digest === null) return true
  const note = row as NoteRow
  const isOfTime = time === null || time === '' || time === toWireDatetime(fromSqlInstant(note.created_at))
  return isOfTime && digest === contentDigest(noteContent(noteOf(note)))
}

import type { AccountNote } from '@account-import/core'
import { fromSqlInstant, toSqlInstant } from './instants.js'
import { jsonColumn } from './json-column.js'
import { createdNoteIdentities, type NoteIdentity } from './note-identity.js'
import { present } from './present.js'
import type { AccountRowKey, RowKey } from './account-row-key.js'
import { sqlBoolean, type NewRow, type SqlBoolean } from './row.js'
import { listOf, objectOf, text } from './shapes.js'

/** What a note is read from. */
export type NoteColumns = Readonly<{
  body: string | null
  document_paths: string
  created_at: string
  is_pinned: SqlBoolean
  unpin_at: string | null
}>

export type NoteRow = RowKey & NoteColumns & NoteIdentity

export const documentPaths = jsonColumn<AccountNote['document_paths']>(
  'notes.document_paths',
  listOf(objectOf({ document_path: text })),
)

export const noteRow = (note: AccountNote, identity: NoteIdentity, key: RowKey): NewRow<NoteRow> => ({
  ...key,
  body: note.body,
  document_paths: documentPaths.toText(note.document_paths),
  created_at: toSqlInstant(note.created_at),
  is_pinned: sqlBoolean(note.is_pinned),
  unpin_at: note.unpin_at === undefined ? null : toSqlInstant(note.unpin_at),
  ...identity,
})

/** The rows of the notes that an account is created with. */
export const createdNoteRows = (
  notes: readonly AccountNote[],
  key: AccountRowKey,
): readonly NewRow<NoteRow>[] => {
  const identities = createdNoteIdentities(notes)
  return notes.map((note, ordinal) => noteRow(note, identities[ordinal] as NoteIdentity, { ...key, ordinal }))
}

export const noteOf = (row: NoteColumns): AccountNote => ({
  ...present({
    body: row.body,
    unpin_at: row.unpin_at === null ? null : fromSqlInstant(row.unpin_at),
  }),
  document_paths: documentPaths.fromText(row.document_paths),
  created_at: fromSqlInstant(row.created_at),
  is_pinned: Boolean(row.is_pinned),
})

import type { AccountNote } from '@account-import/core'
import { fromSqlInstant, toSqlInstant } from './instants.js'
import { fromJson, toJson } from './json.js'
import { createdNoteIdentities, type NoteIdentity } from './note-identity.js'
import { present } from './present.js'
import type { AccountRowKey, Place } from './account-row-key.js'
import type { Row, SqlBoolean } from './row.js'

export type NoteRow = Readonly<{
  ordinal: number
  body: string | null
  document_paths: string
  created_at: string
  is_pinned: SqlBoolean
  unpin_at: string | null
}>

export const noteRow = (note: AccountNote, identity: NoteIdentity, place: Place): Row => ({
  ...place,
  body: note.body,
  document_paths: toJson(note.document_paths),
  created_at: toSqlInstant(note.created_at),
  is_pinned: note.is_pinned ? 1 : 0,
  unpin_at: note.unpin_at === undefined ? null : toSqlInstant(note.unpin_at),
  ...identity,
})

/** The rows of the notes that an account is created with. */
export const createdNoteRows = (notes: readonly AccountNote[], key: AccountRowKey): readonly Row[] => {
  const identities = createdNoteIdentities(notes)
  return notes.map((note, ordinal) => noteRow(note, identities[ordinal] as NoteIdentity, { ...key, ordinal }))
}

export const noteOf = (row: NoteRow): AccountNote => ({
  ...present({
    body: row.body,
    unpin_at: row.unpin_at === null ? null : fromSqlInstant(row.unpin_at),
  }),
  document_paths: fromJson<AccountNote['document_paths']>(row.document_paths),
  created_at: fromSqlInstant(row.created_at),
  is_pinned: Boolean(row.is_pinned),
})

import type { AccountNotes } from '@account-import/core'
import { sqlPortCall } from '../failures/sql-port-call.js'
import { newNoteIdentity } from '../rows/note-identity.js'
import { noteRow } from '../rows/notes.js'
import type { Session } from '../session/session.js'
import { appendRows } from '../statements/append-rows.js'
import { tables } from '../rows/tables.js'
import { notesWithContents } from './notes-with-contents.js'

const call = sqlPortCall('accountNotes')

export const sqlAccountNotes = (session: Session): AccountNotes => ({
  withContents: (account, contents) =>
    call('withContents', () => session.together((db) => notesWithContents(db, session, account, contents))),
  add: (account, notes) =>
    call('add', () =>
      session.together((db) =>
        appendRows(db, session, account, tables.notes, notes, (note, key) =>
          noteRow(note.note, newNoteIdentity(note), key),
        ),
      ),
    ),
})

import type { FieldError, NoteOutcome } from '@account-import/core'
import { toWireDatetime } from '@account-import/core'
import * as t from 'io-ts'
import type { Answer } from '../answer.js'

/** What became of one note; `created_at` of the note on the account, `YYYY-MM-DDTHH:MM:SSZ`. */
const addedNote = t.type(
  {
    created_at: t.string,
    body: t.string,
    status: t.keyof({ NOTE_CREATION_SUCCESS: null, NOTE_ALREADY_EXISTS: null }),
  },
  'AddedNote',
)

/** One for each note of the request, in its order. */
export const addedNotes = t.readonlyArray(addedNote, 'AddedNotes')
export type AddedNotes = t.TypeOf<typeof addedNotes>

export const addedNotesAnswer = ({
  notes,
  warnings,
}: Readonly<{ notes: readonly NoteOutcome[]; warnings: readonly FieldError[] }>): Answer<AddedNotes> => ({
  status: 201,
  body: notes.map(({ created_at, body, status }) => ({
    created_at: toWireDatetime(created_at),
    body,
    status,
  })),
  warnings,
})

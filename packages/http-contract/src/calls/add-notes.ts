import * as t from 'io-ts'
import { call } from '../call.js'

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
const addedNotes = t.readonlyArray(addedNote, 'AddedNotes')
export type AddedNotes = t.TypeOf<typeof addedNotes>

export const addNotesCall = call({
  method: 'POST',
  path: '/v1/data-import/notes/create/',
  scope: 'post-import',
  statuses: [201],
  success: addedNotes,
})

import { notesRequest, toWireDatetime } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { noParams } from '../address-params.js'
import type { Answer } from '../answer.js'
import { endpoint } from '../endpoint.js'
import { refusalsOf, type Done } from '../use-case.js'
import { warningHeaders } from '../warning-headers.js'
import { additionRefusals } from './addition-refusals.js'

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

export const addNotes = endpoint({
  summary: 'Adds notes to a created account; one that it has already is left out.',
  method: 'POST',
  path: '/v1/data-import/notes/create/',
  scope: 'post-import',
  params: noParams,
  query: noParams,
  body: notesRequest,
  statuses: [201],
  success: addedNotes,
  refusals: refusalsOf<'addNotes'>(additionRefusals),
  answer: ({ notes, warnings }: Done<'addNotes'>): Answer<AddedNotes, 201> => ({
    status: 201,
    headers: warningHeaders(warnings),
    body: notes.map(({ created_at, body, status }) => ({
      created_at: toWireDatetime(created_at),
      body,
      status,
    })),
  }),
})

import { notesRequest, toWireDatetime } from '@account-import/core/adapter-kit'
import { noParams } from '../address-params.js'
import type { Answer } from '../call.js'
import { type AddedNotes, addNotesCall } from '../calls/add-notes.js'
import { endpoint } from '../endpoint.js'
import { type Done, refusalsOf } from '../use-case.js'
import { warningHeaders } from '../warning-headers.js'
import { additionRefusals } from './addition-refusals.js'

export const addNotes = endpoint({
  ...addNotesCall,
  summary: 'Adds notes to a created account; one that it has already is left out.',
  params: noParams,
  query: noParams,
  body: notesRequest,
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

import { notesRequest } from '@account-import/core'
import { noParams } from '../address-params.js'
import { endpoint } from '../endpoint.js'
import { addedNotes } from '../responses/added-notes.js'

export const addNotes = endpoint({
  name: 'add-notes',
  summary: 'Adds notes to a created account; one that it has already is left out.',
  method: 'POST',
  path: '/v1/data-import/notes/create/',
  scope: 'post-import',
  params: noParams,
  query: noParams,
  body: notesRequest,
  statuses: [201],
  success: addedNotes,
})

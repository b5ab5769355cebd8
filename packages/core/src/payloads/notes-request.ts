import type { TypeOf } from 'io-ts'
import { list, required, struct } from '../codec/index.js'
import { accountFields } from './account-fields.js'
import { note } from './note.js'

/** The request to add notes to a created account. */
export const notesRequest = struct('notes request', { ...accountFields, notes: required(list(note)) })

export type NotesRequest = TypeOf<typeof notesRequest>

import { drop, set, type Json } from './json.js'
import { choose, found, replaced, type Fault } from './fault.js'

const zone = 'notes'

/** Writes fields into a note; undefined removes a field's value. */
const rewritten = (
  code: Fault['code'],
  field: string,
  fields: Readonly<Record<string, Json | undefined>>,
): Fault =>
  found(zone, code, (account, random) => {
    const note = choose(account, random, 'notes.*')
    if (note === undefined) return undefined
    for (const [name, value] of Object.entries(fields))
      if (value === undefined) drop(account, `${note}.${name}`)
      else set(account, `${note}.${name}`, value)
    return field === '' ? note : `${note}.${field}`
  })

/** Faults in notes. */
export const noteFaults: readonly Fault[] = [
  rewritten('note_body_or_document_path_not_found', '', { body: ' ', document_paths: undefined }),
  rewritten('note_unpin_at_earlier_than_creation_date', 'unpin_at', {
    is_pinned: true,
    unpin_at: '2001-01-01T00:00:00Z',
  }),
  rewritten('unpin_at_without_is_pinned', 'unpin_at', {
    is_pinned: undefined,
    unpin_at: '2999-01-01T00:00:00Z',
  }),
  rewritten('date_in_future', 'created_at', { created_at: '2999-01-01T00:00:00Z', unpin_at: undefined }),
  replaced(zone, 'notes.*.created_at', '2024-11-05', 'date'),
  rewritten('invalid', 'is_pinned', { is_pinned: 'yes' }),
  replaced(zone, 'notes.*.document_paths.*.document_path', '../contrato.pdf', 'document_path_outside_root'),
  replaced(zone, 'notes.*.document_paths.*.document_path', 'notes//contrato.pdf', 'invalid'),
  replaced(zone, 'notes.*.body', 'Paga con 4242 4242 4242 4242.', 'card_number_masked'),
  found(zone, 'not_a_list', (account) => {
    set(account, 'notes', { body: 'Contrato firmado.' })
    return 'notes'
  }),
]

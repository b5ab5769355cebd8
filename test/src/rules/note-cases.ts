import { withNote } from '../support/account-parts.js'
import type { RuleCases } from './support.js'

const noon = (day: string): string => `${day}T12:00:00Z`

/** Notes. */
export const noteCases: readonly RuleCases[] = [
  {
    code: 'note_body_or_document_path_not_found',
    under: 'notes.0',
    fires: [
      ['nothing', withNote({ body: undefined }), 'notes.0'],
      ['blank body', withNote({ body: '\t ' }), 'notes.0'],
      ['empty list', withNote({ body: undefined, document_paths: [] }), 'notes.0'],
      ['blank body, empty list', withNote({ body: '', document_paths: [] }), 'notes.0'],
    ],
    silent: [
      ['a body', withNote({})],
      ['a path', withNote({ body: undefined, document_paths: [{ document_path: 'a.pdf' }] })],
      ['both', withNote({ document_paths: [{ document_path: 'a.pdf' }] })],
      ['unreadable body', withNote({ body: 1 }), ['.body invalid']],
      ['unreadable body, empty list', withNote({ body: null, document_paths: [] }), ['.body null']],
      ['unreadable list', withNote({ body: undefined, document_paths: null }), ['.document_paths null']],
      [
        'an unreadable path is still one',
        withNote({ body: undefined, document_paths: [null] }),
        ['.document_paths.0 null'],
      ],
    ],
  },
  {
    code: 'unpin_at_without_is_pinned',
    under: 'notes.0',
    isWarning: true,
    fires: [
      ['is_pinned absent', withNote({ unpin_at: '2025-01-01T00:00:00Z' }), '.unpin_at'],
      ['not pinned', withNote({ unpin_at: '2025-01-01T00:00:00Z', is_pinned: false }), '.unpin_at'],
    ],
    silent: [
      ['pinned', withNote({ unpin_at: '2025-01-01T00:00:00Z', is_pinned: true })],
      ['no time', withNote({ is_pinned: false })],
      [
        'unreadable pin',
        withNote({ unpin_at: '2025-01-01T00:00:00Z', is_pinned: 'no' }),
        ['.is_pinned invalid'],
      ],
      ['unreadable time', withNote({ unpin_at: '2025-01-01' }), ['.unpin_at date']],
    ],
  },
  {
    code: 'note_unpin_at_earlier_than_creation_date',
    fires: [
      [
        'one second earlier',
        withNote({ created_at: '2024-01-01T00:00:01Z', unpin_at: '2024-01-01T00:00:00Z', is_pinned: true }),
        'notes.0.unpin_at',
      ],
    ],
    silent: [
      [
        'the same',
        withNote({ created_at: noon('2024-01-01'), unpin_at: noon('2024-01-01'), is_pinned: true }),
      ],
      ['created when imported', withNote({ unpin_at: noon('2024-01-01'), is_pinned: true })],
      [
        'unreadable',
        withNote({ created_at: null, unpin_at: noon('2024-01-01'), is_pinned: true }),
        ['notes.0.created_at null'],
      ],
    ],
  },
]

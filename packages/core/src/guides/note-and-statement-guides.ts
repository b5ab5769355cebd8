import type { Guides } from '../catalogue/guide.js'

const march = { bill_period_from_date: '2025-03-01', bill_period_to_date: '2025-03-31' }
const april = { bill_period_from_date: '2025-04-01', bill_period_to_date: '2025-04-30' }

/** Notes, statements and their documents. */
export const noteAndStatementGuides = {
  note_body_or_document_path_not_found: {
    means:
      'A note has neither text nor documents. A text of blanks and an empty list of documents count as nothing.',
    causes: [
      'The text of the note lies in a table of its own that was not joined.',
      'The note held an attachment that was not migrated.',
    ],
    fix: ['Export the text or the document paths.', 'Drop the note if nothing is left of it.'],
    at: ['notes.N'],
    example: {
      in: '',
      bad: { notes: [{ created_at: '2025-02-03T10:15:00Z' }] },
      good: { notes: [{ body: 'Prefiere factura en papel', created_at: '2025-02-03T10:15:00Z' }] },
    },
    related: ['blank', 'document_path_outside_root'],
  },
  card_number_masked: {
    means:
      'The text of a note holds 13 to 19 digits with the check digit of a card number, alone or in groups with up to four other characters between them, in the digits of any script. It was accepted with • in place of all but the last four digits, in what is stored and in what is answered.',
    causes: [
      'Staff wrote card numbers down in the old system.',
      'Another long number passes for a card number, as one in ten of this length does.',
    ],
    fix: [
      'Remove card numbers from the texts before they leave the old system; who stores them falls under the rules of the card schemes.',
      'If it is another number that has to stay readable, write it with letters or slashes in between.',
    ],
    at: ['notes.N.body'],
    example: {
      in: 'notes.0',
      bad: { body: 'Paga con la tarjeta 4242 4242 4242 4242' },
      good: { body: 'Paga con la tarjeta que acaba en 4242' },
    },
    related: ['card_number_not_allowed'],
  },
  note_unpin_at_earlier_than_creation_date: {
    means: 'A note is to be unpinned before it was created.',
    causes: ['created_at is the time of the export and not of the note.', 'The two columns were swapped.'],
    fix: [
      'Send the time at which the note was written as created_at.',
      'If the time for unpinning has passed, leave is_pinned and unpin_at out.',
    ],
    at: ['notes.N.unpin_at'],
    example: {
      in: 'notes.0',
      bad: { created_at: '2025-02-03T10:15:00Z', is_pinned: true, unpin_at: '2025-01-31T00:00:00Z' },
      good: { created_at: '2025-02-03T10:15:00Z', is_pinned: true, unpin_at: '2025-12-31T00:00:00Z' },
    },
    related: ['unpin_at_without_is_pinned', 'date_in_future'],
  },
  unpin_at_without_is_pinned: {
    means: 'A note has a time for unpinning but is not pinned, so the time does nothing.',
    causes: ['The old system fills the time for all notes.'],
    fix: ['Set is_pinned to true if the note is to stay on top until then.', 'Otherwise leave unpin_at out.'],
    at: ['notes.N.unpin_at'],
    example: {
      in: 'notes.0',
      bad: { unpin_at: '2025-12-31T00:00:00Z' },
      good: { is_pinned: true, unpin_at: '2025-12-31T00:00:00Z' },
    },
    related: ['note_unpin_at_earlier_than_creation_date'],
  },
  duplicate_statement_ids: {
    means: 'Two statements of the payload have the same statement_id.',
    causes: [
      'A corrected bill kept the number of the first one.',
      'Numbers begin anew every year in the old system.',
    ],
    fix: ['Keep the statement that is valid, or make the id unique, for example with the year in front.'],
    at: ['statements.N.statement_id'],
    example: {
      in: '',
      bad: {
        statements: [
          { ...march, statement_id: 'F-0003' },
          { ...april, statement_id: 'F-0003' },
        ],
      },
      good: {
        statements: [
          { ...march, statement_id: 'F-0003' },
          { ...april, statement_id: 'F-0004' },
        ],
      },
    },
    related: ['historical_statement_already_exists', 'duplicate_transaction_ids'],
  },
  historical_statement_period_end_in_future: {
    means: 'A statement of the past covers days that have not come yet.',
    causes: [
      'A fixed-fee bill was issued ahead of its period.',
      'Day and month were swapped, or the year mistyped.',
    ],
    fix: ['Check the period on the bill.', 'If it really was billed ahead, the warning can be left.'],
    at: ['statements.N.bill_period_to_date'],
    example: {
      in: 'statements.0',
      bad: { bill_period_from_date: '2025-03-01', bill_period_to_date: '2205-03-31' },
      good: march,
    },
    related: ['date_in_future', 'start_date_later_than_end_date'],
  },
  historical_statement_already_exists: {
    means: 'The account already has a statement with this id. Nothing of the request was stored.',
    causes: [
      'The request was sent before and its answer got lost.',
      'The statement came with the account when it was imported.',
    ],
    fix: [
      'Remove the statements that attr names and send the rest.',
      'If all of them are named, the first request has done its work.',
    ],
    at: ['statements.N.statement_id'],
    example: {
      bad: `POST /v1/data-import/historical-statements/create/
{"statements": [{"statement_id": "F-0003", …}, {"statement_id": "F-0004", …}], …}
→ 400 request_failed_validation, with historical_statement_already_exists at statements.0.statement_id`,
      good: `POST /v1/data-import/historical-statements/create/
{"statements": [{"statement_id": "F-0004", …}], …}
→ 201`,
    },
    related: ['duplicate_statement_ids', 'request_failed_validation'],
  },
  document_path_outside_root: {
    means:
      "The path leads out of the supplier's document root, or could: it is absolute, has a drive or scheme, or a segment of two dots, also when it is percent-encoded.",
    causes: [
      'Paths of the old file server were sent as they are.',
      'The name of the bucket stands in front.',
    ],
    fix: [
      'Upload the documents below the document root of the supplier.',
      'Send the path from that root on, with / between the segments.',
    ],
    at: ['statements.N.statement_path', 'notes.N.document_paths.N.document_path'],
    example: {
      in: 'statements.0',
      bad: { statement_path: '/mnt/facturas/2025/F-0003.pdf' },
      good: { statement_path: 'facturas/2025/F-0003.pdf' },
    },
    related: ['path_does_not_exist_in_file_store', 'invalid'],
  },
  path_does_not_exist_in_file_store: {
    means:
      'The check of documents is on for the supplier, and no document lies at this path in the document store.',
    causes: [
      'The documents are uploaded after the accounts.',
      'Upper and lower case differ, or the extension (.PDF).',
    ],
    fix: [
      'Compare the path with the listing of the store, letter by letter.',
      'Upload the document, or correct the path.',
      'Until the upload is complete, have the check set to warn or off.',
    ],
    at: ['statements.N.statement_path', 'notes.N.document_paths.N.document_path'],
    example: {
      bad: `{"statement_path": "facturas/2025/F-0003.PDF"}
→ 200, with path_does_not_exist_in_file_store at statements.0.statement_path in Import-Warnings`,
      good: `{"statement_path": "facturas/2025/F-0003.pdf"}
→ 200`,
    },
    related: ['document_check_not_possible', 'document_path_outside_root'],
  },
  document_check_not_possible: {
    means:
      'The check of documents is set to warn, and the document store did not answer. The data was accepted; its paths were not checked.',
    causes: ['The document store is down, or its credentials have expired.'],
    fix: [
      'Send the request again when the store is back, if the check matters.',
      'If it stays, tell the operator; /readyz shows the state of the store.',
    ],
    at: ['empty: the payload itself'],
    example: {
      bad: `POST /v1/data-import/validate-account/ while the store is away
→ 200, with document_check_not_possible in Import-Warnings`,
      good: `POST /v1/data-import/validate-account/ when it is back
→ 200`,
    },
    related: ['path_does_not_exist_in_file_store', 'service_unavailable'],
  },
} satisfies Guides

import { instant, lengths, longText, wrappedKey } from './columns.js'
import type { TableDefinition } from './create-table.js'

/** Long enough for a kind, an API key's id and a network address together. */
const subjectLength = 255

/** The tables that servers share about requests: idempotency records, rates, and which server does a job of all servers. */
export const requests: readonly TableDefinition[] = [
  // One row for each idempotency key that was used within a day: a claim, then the answer that is kept.
  {
    name: 'kept_answers',
    define: (table) => {
      table.string('organisation', lengths.organisation).notNullable()
      table.string('request', lengths.token).notNullable()
      table.string('content', lengths.token).notNullable()
      table.string('claim_token', lengths.token).notNullable()
      instant(table, 'claim_ends_at').notNullable()
      instant(table, 'expires_at').notNullable()
      table.integer('status')
      longText(table, 'headers')
      longText(table, 'body')
      table.string('import_supplier', lengths.importSupplier)
      table.string('external_account_number', lengths.externalAccountNumber)
      wrappedKey(table, 'data_key')
      table.boolean('is_done').notNullable()
      table.primary(['organisation', 'request'])
    },
    indexes: [
      // For whoever removes what has expired, so no organisation leads it.
      { name: 'kept_answers_by_end', columns: ['expires_at'] },
      {
        name: 'kept_answers_by_account',
        columns: ['organisation', 'import_supplier', 'external_account_number'],
      },
    ],
  },
  // How much of a limit a subject has used in the window of time that begins then. A subject begins with its kind, such as
  // `key:`, so that limits of several kinds share the table.
  {
    name: 'rate_limits',
    define: (table) => {
      table.string('subject', subjectLength).notNullable()
      instant(table, 'begins_at').notNullable()
      instant(table, 'expires_at').notNullable()
      table.integer('used').notNullable()
      table.primary(['subject', 'begins_at'])
    },
    indexes: [{ name: 'rate_limits_by_end', columns: ['expires_at'] }],
  },
  {
    name: 'turns',
    define: (table) => {
      table.string('job', lengths.token).notNullable().primary()
      table.string('token', lengths.token).notNullable()
      instant(table, 'ends_at').notNullable()
    },
  },
]

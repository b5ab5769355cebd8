import { importKey, instant, lengths, longText, wrappedKey } from './columns.js'
import type { TableDefinition } from './create-table.js'

const supplier = ['organisation', 'import_supplier']

/** The tables of the processes that make accounts, and of the e-mails that follow from them. */
export const accountImports: readonly TableDefinition[] = [
  // The payload lies in the row, so that an account is staged by one statement; `unsealed` holds the audit events of the
  // import that are not sealed yet.
  {
    name: 'account_imports',
    define: (table) => {
      const key = importKey(table)
      table.integer('staged_version').notNullable()
      instant(table, 'first_staged_at')
      instant(table, 'staged_at')
      table.string('staging_id', lengths.token)
      table.string('state', 8).notNullable()
      table.boolean('skipped').notNullable()
      table.string('claim_token', lengths.token)
      instant(table, 'claim_expires_at')
      table.boolean('holds_slot').notNullable()
      table.integer('attempts').notNullable()
      table.string('latest_failure_code', lengths.code)
      instant(table, 'latest_failure_at')
      table.string('platform_account_number', lengths.platformAccountNumber)
      instant(table, 'account_created_at')
      table.integer('created_version')
      longText(table, 'payload')
      table.string('payload_hash', lengths.token)
      longText(table, 'unsealed')
      instant(table, 'unsealed_since')
      instant(table, 'payload_removed_at')
      instant(table, 'erased_at')
      wrappedKey(table, 'data_key')
      table.primary(key)
    },
    indexes: [
      // Staged imports in the order in which they are processed: oldest first.
      {
        name: 'account_imports_staged',
        columns: [...supplier, 'state', 'first_staged_at', 'external_account_number'],
      },
      // All that a list shows and is told apart by: no list reads a row, in which a payload lies.
      {
        name: 'account_imports_pages',
        columns: [
          ...supplier,
          'state',
          'external_account_number',
          'platform_account_number',
          'account_created_at',
          'first_staged_at',
        ],
      },
      // All that a summary counts, in the order of its groups. The last two columns find the staged data that is due.
      {
        name: 'account_imports_summary',
        columns: [
          ...supplier,
          'state',
          'latest_failure_code',
          'claim_expires_at',
          'payload_removed_at',
          'account_created_at',
        ],
      },
      { name: 'account_imports_unsealed', columns: ['unsealed_since'] },
    ],
  },
  {
    name: 'processing_slots',
    define: (table) => {
      table.integer('slot').notNullable().primary()
      table.string('claim_token', lengths.token)
      instant(table, 'expires_at')
    },
  },
  // One e-mail for each account at most. `due_at` is when a waiting one may be taken; while a relay holds it, the end of
  // the relay's lease. All relays of the service take by that index, so no supplier leads it.
  {
    name: 'customer_emails',
    define: (table) => {
      const key = importKey(table)
      table.string('id', lengths.token).notNullable()
      table.string('platform_account_number', lengths.platformAccountNumber).notNullable()
      table.string('language', 8).notNullable()
      instant(table, 'enqueued_at').notNullable()
      table.string('state', 8).notNullable()
      instant(table, 'due_at')
      table.string('claim_token', lengths.token)
      instant(table, 'settled_at')
      table.integer('attempts').notNullable()
      longText(table, 'served').notNullable()
      table.string('latest_failure_code', lengths.code)
      instant(table, 'latest_failure_at')
      table.primary(key)
    },
    unique: [{ name: 'customer_emails_by_id', columns: ['id'] }],
    indexes: [
      { name: 'customer_emails_due', columns: ['state', 'due_at'] },
      { name: 'customer_emails_lists', columns: [...supplier, 'state', 'external_account_number'] },
    ],
  },
]

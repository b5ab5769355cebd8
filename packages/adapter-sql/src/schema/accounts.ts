import { importKey, instant, lengths, longText, wrappedKey } from './columns.js'
import type { TableDefinition } from './create-table.js'

const key = ['organisation', 'import_supplier', 'external_account_number']

/** The tables of created accounts: a document for each, and a row for each item that others may follow. */
export const accounts: readonly TableDefinition[] = [
  // `details` is the JSON text of everything that cannot be added later. Every addition writes `additions`, and nobody
  // reads it: a lock is known to one node of a cluster, and of two that write the same row it lets one commit.
  {
    name: 'accounts',
    define: (table) => {
      importKey(table)
      table.string('platform_account_number', lengths.platformAccountNumber).notNullable()
      table.string('operations_team', lengths.operationsTeam).notNullable()
      table.integer('staged_version').notNullable()
      instant(table, 'created_at').notNullable()
      instant(table, 'erased_at')
      table.integer('additions').notNullable()
      wrappedKey(table, 'data_key')
      longText(table, 'details').notNullable()
      table.primary(key)
    },
    // A number names one account of the whole platform: the key that guards it is not an organisation's.
    unique: [{ name: 'accounts_by_number', columns: ['platform_account_number'] }],
  },
  // Transactions, statements, notes and payment instructions. `ordinal` counts those of a kind; `identity` and `copy`
  // tell them apart, and `content` is JSON text.
  {
    name: 'account_items',
    define: (table) => {
      importKey(table)
      table.string('kind', 20).notNullable()
      table.integer('ordinal').notNullable()
      table.string('identity', 255).notNullable()
      table.bigInteger('copy')
      longText(table, 'content').notNullable()
      table.primary([...key, 'kind', 'ordinal'])
    },
    unique: [{ name: 'account_items_by_identity', columns: [...key, 'kind', 'identity', 'copy'] }],
  },
]

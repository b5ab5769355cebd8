import { instant, lengths, longText } from './columns.js'
import type { TableDefinition } from './create-table.js'

/** The tables of the audit record: the sealed chain, and the events that no import carries while they wait for it. */
export const audit: readonly TableDefinition[] = [
  {
    name: 'audit_unsealed',
    define: (table) => {
      table.string('organisation', lengths.organisation).notNullable()
      table.string('import_supplier', lengths.importSupplier).notNullable()
      table.string('entry_id', lengths.token).notNullable()
      longText(table, 'entry').notNullable()
      table.primary(['organisation', 'import_supplier', 'entry_id'])
    },
  },
  {
    name: 'audit_log',
    define: (table) => {
      table.string('organisation', lengths.organisation).notNullable()
      table.bigInteger('sequence').notNullable()
      instant(table, 'at').notNullable()
      table.string('what', lengths.token).notNullable()
      longText(table, 'who').notNullable()
      longText(table, 'request_id')
      table.string('import_supplier', lengths.importSupplier)
      table.string('external_account_number', lengths.externalAccountNumber)
      longText(table, 'subject')
      table.string('before_hash', lengths.token)
      table.string('after_hash', lengths.token)
      table.string('hash', lengths.token).notNullable()
      table.primary(['organisation', 'sequence'])
    },
    indexes: [
      {
        name: 'audit_log_accounts',
        columns: ['organisation', 'import_supplier', 'external_account_number', 'sequence'],
      },
    ],
  },
]

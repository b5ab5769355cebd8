import type { Knex } from 'knex'
import { importKey, instant, lengths, longText } from './columns.js'
import { createTable } from './create-table.js'
import type { Step } from './schema-dialect.js'

/**
 * The processes, narrow, and beside them the payloads: a list reads thousands of the former and none of the latter.
 * The list index serves the pending and the imported list; the list of all is in the order of the primary key.
 */
const accountImports = (table: Knex.CreateTableBuilder): void => {
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
  table.primary(key)
  table.index(
    ['organisation', 'import_supplier', 'state', 'external_account_number'],
    'account_imports_lists',
  )
}

export const up: Step = async (knex, schema) => {
  await createTable(knex, schema, 'account_imports', accountImports)
  await createTable(knex, schema, 'staged_accounts', (table) => {
    const key = importKey(table)
    table.integer('version').notNullable()
    longText(table, 'payload').notNullable()
    table.primary(key)
  })
  await createTable(knex, schema, 'processing_slots', (table) => {
    table.integer('slot').notNullable().primary()
    table.string('claim_token', lengths.token)
    instant(table, 'expires_at')
  })
}

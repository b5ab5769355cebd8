import { addIndex, addUnique } from './add-index.js'
import { importKey, instant, lengths, longText } from './columns.js'
import { createTable } from './create-table.js'
import type { Step } from './schema-dialect.js'

const createEmails: Step = (knex, schema) =>
  createTable(knex, schema, 'customer_emails', (table) => {
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
  })

/**
 * The e-mails to customers: one row for each account at most. `due_at` is when a waiting one may be taken; while a
 * relay holds it, the end of the relay's lease. The index on it serves all relays of the service, so no supplier
 * leads it.
 */
export const up: Step = async (knex, schema) => {
  const name = 'customer_emails'
  if (!(await knex.schema.hasTable(name))) await createEmails(knex, schema)
  await addUnique(knex, schema, name, ['id'], 'customer_emails_by_id')
  await addIndex(knex, schema, name, ['state', 'due_at'], 'customer_emails_due')
  await addIndex(
    knex,
    schema,
    name,
    ['organisation', 'import_supplier', 'state', 'external_account_number'],
    'customer_emails_lists',
  )
}

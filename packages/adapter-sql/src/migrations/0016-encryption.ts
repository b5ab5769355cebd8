import { accountRowKey, instant, lengths, longText } from './columns.js'
import { createTable } from './create-table.js'
import type { Step } from './schema-dialect.js'

const keys = 'encryption_keys'
const details = 'encrypted_details'

/** Tables whose rows may have a data key of their own. */
const withDataKeys = ['account_imports', 'accounts', 'kept_answers']

/** The id of a key and what it wrapped. */
const wrappedKeyLength = 512

/**
 * What tells of a person may be encrypted. The key that a row is encrypted with lies in it, wrapped; where it is NULL nothing is
 * encrypted. What the rows of an account hold of a person is kept beside them, as one text for each time that rows were
 * written. Of each key that wraps there is a key that it wrapped, so that a server can tell whether it has it.
 */
export const up: Step = async (knex, schema) => {
  for (const name of withDataKeys)
    if (!(await knex.schema.hasColumn(name, 'data_key')))
      await knex.schema.alterTable(name, (table) => {
        table.string('data_key', wrappedKeyLength)
      })
  if (!(await knex.schema.hasTable(details)))
    await createTable(knex, schema, details, (table) => {
      const key = accountRowKey(table)
      table.integer('ordinal').notNullable()
      longText(table, 'content').notNullable()
      table.primary([...key, 'ordinal'])
    })
  if (!(await knex.schema.hasTable(keys)))
    await createTable(knex, schema, keys, (table) => {
      table.string('key_id', lengths.token).notNullable()
      table.string('data_key', wrappedKeyLength).notNullable()
      instant(table, 'first_used_at').notNullable()
      table.primary(['key_id'])
    })
}

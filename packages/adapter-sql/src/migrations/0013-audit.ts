import { addIndex } from './add-index.js'
import { instant, lengths, longText } from './columns.js'
import { createTable } from './create-table.js'
import type { SchemaDialect, Step } from './schema-dialect.js'
import type { Knex } from 'knex'

const imports = 'account_imports'
const unsealedImports = 'account_imports_unsealed'

/** MySQL ends a transaction with each change of a table: a migration that was cut off is run again. */
const createUnlessThere = async (
  knex: Knex,
  schema: SchemaDialect,
  name: string,
  define: (table: Knex.CreateTableBuilder) => void,
): Promise<void> => {
  if (!(await knex.schema.hasTable(name))) await createTable(knex, schema, name, define)
}

/**
 * An import has a hash of its payload, and carries the entries of the record that are not sealed yet, so that it is staged by
 * one statement still; the index finds the imports that have some, whichever organisation they are of. All other entries
 * wait in a table of their own, those of accounts beside the rows of their supplier; one that concerns no supplier has none there.
 */
export const up: Step = async (knex, schema) => {
  if (!(await knex.schema.hasColumn(imports, 'unsealed_since')))
    await knex.schema.alterTable(imports, (table) => {
      table.string('payload_hash', lengths.token)
      longText(table, 'unsealed')
      instant(table, 'unsealed_since')
    })
  await addIndex(knex, schema, imports, ['unsealed_since'], unsealedImports)
  await createUnlessThere(knex, schema, 'audit_unsealed', (table) => {
    table.string('organisation', lengths.organisation).notNullable()
    table.string('import_supplier', lengths.importSupplier).notNullable()
    table.string('entry_id', lengths.token).notNullable()
    longText(table, 'entry').notNullable()
    table.primary(['organisation', 'import_supplier', 'entry_id'])
  })
  await createUnlessThere(knex, schema, 'audit_log', (table) => {
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
    table.index(
      ['organisation', 'import_supplier', 'external_account_number', 'sequence'],
      'audit_log_accounts',
    )
  })
  await createUnlessThere(knex, schema, 'api_key_networks', (table) => {
    table.string('api_key_id', lengths.token).notNullable()
    table.string('network', lengths.token).notNullable()
    instant(table, 'first_used_at').notNullable()
    table.primary(['api_key_id', 'network'])
  })
}

import { addIndex } from './add-index.js'
import { longText } from './columns.js'
import { forPiecesOfImports } from './pieces-of-imports.js'
import type { Step } from './schema-dialect.js'

const imports = 'account_imports'
const payloads = 'staged_accounts'
const key = ['organisation', 'import_supplier', 'external_account_number']

/** Holds all that a list shows and is told apart by: no list reads a row, beside which a payload lies now. */
const pages = {
  name: 'account_imports_pages',
  columns: [
    'organisation',
    'import_supplier',
    'state',
    'external_account_number',
    'platform_account_number',
    'account_created_at',
    'first_staged_at',
  ],
}

const lists = 'account_imports_lists'

/** The index of pages takes the place of the one of lists; a run that was cut off may have done so already. */
const replaceIndex: Step = async (knex, schema) => {
  await addIndex(knex, schema, imports, pages.columns, pages.name)
  if (await schema.hasIndex(knex, imports, lists))
    await knex.schema.alterTable(imports, (table) => table.dropIndex([], lists))
}

const ofSameImport = key.map((column) => `s.${column} = ${imports}.${column}`).join(' AND ')

/**
 * The payloads move into the rows of their imports, so that an account is staged by one statement. MySQL ends a
 * transaction with each change of a table: a migration that was cut off is run again, and copies again.
 */
export const up: Step = async (knex, schema) => {
  await replaceIndex(knex, schema)
  if (!(await knex.schema.hasColumn(imports, 'payload')))
    await knex.schema.alterTable(imports, (table) => longText(table, 'payload'))
  if (!(await knex.schema.hasTable(payloads))) return
  await forPiecesOfImports(knex, (piece, values) =>
    knex.raw(
      `UPDATE ${imports} SET payload = (SELECT s.payload FROM ${payloads} AS s WHERE ${ofSameImport}) WHERE ${piece}`,
      values,
    ),
  )
  await knex.schema.dropTable(payloads)
}

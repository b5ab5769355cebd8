import { addIndex } from './add-index.js'
import { importKey, longText } from './columns.js'
import { createTable } from './create-table.js'
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

const lists = { name: 'account_imports_lists', columns: pages.columns.slice(0, 4) }

/** Goes where the other one takes its place; a run that was cut off may have done so already. */
const replaceIndex = async (
  [knex, schema]: Parameters<Step>,
  old: typeof pages,
  other: typeof pages,
): Promise<void> => {
  await addIndex(knex, schema, imports, other.columns, other.name)
  if (await schema.hasIndex(knex, imports, old.name))
    await knex.schema.alterTable(imports, (table) => table.dropIndex([], old.name))
}

const ofSameImport = key.map((column) => `s.${column} = ${imports}.${column}`).join(' AND ')

/**
 * The payloads move into the rows of their imports, so that an account is staged by one statement. MySQL ends a
 * transaction with each change of a table: a migration that was cut off is run again, and copies again.
 */
export const up: Step = async (knex, schema) => {
  await replaceIndex([knex, schema], lists, pages)
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

export const down: Step = async (knex, schema) => {
  if (!(await knex.schema.hasTable(payloads)))
    await createTable(knex, schema, payloads, (table) => {
      const columns = importKey(table)
      table.integer('version').notNullable()
      longText(table, 'payload').notNullable()
      table.primary(columns)
    })
  if (await knex.schema.hasColumn(imports, 'payload')) {
    await forPiecesOfImports(knex, (piece, values) =>
      knex.raw(
        `REPLACE INTO ${payloads} (${key.join(', ')}, version, payload) ` +
          `SELECT ${key.join(', ')}, staged_version, payload FROM ${imports} WHERE ${piece} AND payload IS NOT NULL`,
        values,
      ),
    )
    await knex.raw(`ALTER TABLE ${imports} DROP COLUMN payload`)
  }
  await replaceIndex([knex, schema], pages, lists)
}

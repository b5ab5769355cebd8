import { addIndex } from './add-index.js'
import { instant, lengths } from './columns.js'
import type { Step } from './schema-dialect.js'

const name = 'refresh_tokens'
const index = 'refresh_tokens_by_key'

/**
 * A row is no longer one token but a family of them, of which the latest is good. The columns may be empty: rows of a version
 * that does not know them are no families, and go when they end. The index serves whoever counts the families of a key.
 */
export const up: Step = async (knex, schema) => {
  if (!(await knex.schema.hasColumn(name, 'secret_hash')))
    await knex.schema.alterTable(name, (table) => {
      table.string('secret_hash', lengths.token)
      instant(table, 'ends_at')
    })
  await addIndex(knex, schema, name, ['api_key_id', 'ends_at'], index)
}

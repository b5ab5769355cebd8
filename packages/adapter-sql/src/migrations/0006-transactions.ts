import { addUnique } from './add-index.js'
import type { Step } from './schema-dialect.js'

const key = ['organisation', 'import_supplier', 'platform_account_number']
const index = 'transactions_by_id'

/**
 * What has been added already is known by its id. `copy` is 0 for the first transaction of an id and counts those that
 * were added again on purpose: of two that add the same one at the same time, one finds the key taken.
 */
export const up: Step = async (knex, schema) => {
  if (!(await knex.schema.hasColumn('transactions', 'copy')))
    await knex.schema.alterTable('transactions', (table) => {
      table.integer('copy').notNullable().defaultTo(0)
    })
  await addUnique(knex, schema, 'transactions', [...key, 'transaction_id', 'copy'], index)
}

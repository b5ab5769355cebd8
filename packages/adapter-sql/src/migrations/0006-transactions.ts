import type { Knex } from 'knex'
import { tables } from '../tables.js'

const key = ['organisation', 'import_supplier', 'platform_account_number']
const index = 'transactions_by_id'

/**
 * What has been added already is known by its id. `copy` is 0 for the first transaction of an id and counts those that
 * were added again on purpose: of two that add the same one at the same time, one finds the key taken.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.alterTable(tables.transactions, (table) => {
    table.integer('copy').notNullable().defaultTo(0)
  })
  await knex.schema.alterTable(tables.transactions, (table) => {
    table.unique([...key, 'transaction_id', 'copy'], { indexName: index })
  })
}

export const down = async (knex: Knex): Promise<void> => {
  await knex.schema.alterTable(tables.transactions, (table) => {
    table.dropUnique([], index)
  })
  await knex.schema.alterTable(tables.transactions, (table) => {
    table.dropColumn('copy')
  })
}

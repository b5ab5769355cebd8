import { accountImports } from './account-imports.js'
import { accounts } from './accounts.js'
import { audit } from './audit.js'
import { createTable } from './create-table.js'
import { registers } from './registers.js'
import { requests } from './requests.js'
import type { Step } from './schema-dialect.js'

/** All tables, by area. */
export const up: Step = async (knex, schema) => {
  for (const definition of [...registers, ...accountImports, ...accounts, ...audit, ...requests])
    await createTable(knex, schema, definition)
}

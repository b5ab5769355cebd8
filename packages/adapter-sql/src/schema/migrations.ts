import { accountImports } from './account-imports.js'
import { accounts } from './accounts.js'
import { audit } from './audit.js'
import { registers } from './registers.js'
import { requests } from './requests.js'
import type { Step } from './table.js'

type Migration = Readonly<{ name: string; up: Step }>

const createTables: Step = async (knex, schema) => {
  for (const table of [...registers, ...accountImports, ...accounts, ...audit, ...requests])
    await schema.createTable(knex, table)
}

/**
 * All migrations, oldest first. A released one stays as it is; a change is a new step at the end. None is ever undone: a
 * restore is from a backup.
 */
export const migrations: readonly Migration[] = [{ name: '0001-tables', up: createTables }]

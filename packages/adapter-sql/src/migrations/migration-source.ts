import type { Knex } from 'knex'
import * as registers from './0001-registers.js'
import * as accountImports from './0002-account-imports.js'
import * as accounts from './0003-accounts.js'
import * as postImport from './0004-post-import.js'
import * as outbox from './0005-outbox.js'
import * as transactions from './0006-transactions.js'

type Step = Readonly<{ name: string; up(knex: Knex): Promise<void>; down(knex: Knex): Promise<void> }>

/** All migrations, oldest first. What is released stays as it is; a change is a new step at the end. */
const steps: readonly Step[] = [
  { name: '0001-registers', ...registers },
  { name: '0002-account-imports', ...accountImports },
  { name: '0003-accounts', ...accounts },
  { name: '0004-post-import', ...postImport },
  { name: '0005-outbox', ...outbox },
  { name: '0006-transactions', ...transactions },
]

/** The names of all migrations, oldest first. */
export const migrationNames: readonly string[] = steps.map(({ name }) => name)

export const migrationSource: Knex.MigrationSource<Step> = {
  getMigrations: async () => [...steps],
  getMigrationName: (step) => step.name,
  getMigration: async (step) => step,
}

import { createClient } from '@account-import/client'
import type { ExecutionContext } from 'ava'
import { cliInProcess } from '../../support/cli-in-process.js'
import { openSharedDatabase, type SharedDatabase } from '../../support/shared-database.js'
import { tempFolder } from '../../support/temp-folder.js'
import { journeys } from '../../support/journeys.js'
import { started } from './started.js'

/** Tables of the next version: the present ones, and additions that this version does not fill. */
const expand = async ({ knex }: SharedDatabase): Promise<void> => {
  for (const table of ['account_imports', 'account_items', 'customer_emails', 'import_suppliers'])
    await knex.schema.alterTable(table, (altered) => {
      altered.string('of_next_version', 64)
    })
  await knex.schema.createTable('next_version', (table) => {
    table.integer('id').notNullable().primary()
  })
  const done = { name: '9999-next-version', batch: 99, migration_time: new Date() }
  await knex('account_import_migrations').insert(done)
}

/** A server and commands on the tables of the next version. */
export const worksOnLaterTables = async (t: ExecutionContext, url: string): Promise<void> => {
  const database = await openSharedDatabase(url)
  t.teardown(() => database.close())
  await expand(database)
  const server = await started(t, database.environment)
  const client = createClient({ baseUrl: server.address, apiKey: database.apiKey })
  t.deepEqual(await journeys([client], database, 0, 8), [])
  t.is((await fetch(`${server.address}/readyz`)).status, 200)
  await server.stop()
  const environment = { ...database.environment, DATA_DIR: await tempFolder(t) }
  t.like(await cliInProcess(['verify'], environment), { code: 0, stdout: '' })
  const { code, stdout, stderr } = await cliInProcess(['migrate', '--json'], environment)
  t.is(code, 3)
  t.like(JSON.parse(stdout), { error: { code: 'migrations_of_later_version' } })
  t.regex(stderr, /9999-next-version.*use that version/)
}

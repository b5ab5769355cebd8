import { createClient } from '@account-import/client'
import test, { type ExecutionContext } from 'ava'
import { mariaDbAvailable } from '../servers/index.js'
import { cliInProcess } from '../support/cli-in-process.js'
import { onBackend, type DatabaseBackend } from '../support/on-backend.js'
import { startServerProcess } from '../support/server-process.js'
import { openSharedDatabase, type SharedDatabase } from '../support/shared-database.js'
import { tempFolder } from '../support/temp-folder.js'
import { journeys } from '../support/journeys.js'

/** Tables as the next version leaves them: what is there stays, and something is added that nobody here fills. */
const expand = async ({ knex }: SharedDatabase): Promise<void> => {
  for (const table of ['account_imports', 'accounts', 'transactions', 'customer_emails', 'import_suppliers'])
    await knex.schema.alterTable(table, (altered) => {
      altered.string('of_next_version', 64)
    })
  await knex.schema.createTable('next_version', (table) => {
    table.integer('id').notNullable().primary()
  })
  const done = { name: '9999-next-version', batch: 99, migration_time: new Date() }
  await knex('account_import_migrations').insert(done)
}

const worksOnLaterTables = async (t: ExecutionContext, url: string): Promise<void> => {
  const database = await openSharedDatabase(url)
  try {
    await expand(database)
    const server = await startServerProcess(database.environment)
    try {
      const client = createClient({ baseUrl: server.address, apiKey: database.apiKey })
      t.deepEqual(await journeys([client], database, 0, 8), [])
      t.is((await fetch(`${server.address}/readyz`)).status, 200)
    } finally {
      t.is(await server.stop(), 0)
    }
    const environment = { ...database.environment, DATA_DIR: await tempFolder(t) }
    t.like(await cliInProcess(['verify'], environment), { code: 0, stdout: '' })
    const { code, stdout, stderr } = await cliInProcess(['migrate', '--json'], environment)
    t.is(code, 3)
    t.like(JSON.parse(stdout), { error: { code: 'migrations_of_later_version' } })
    t.regex(stderr, /9999-next-version.*use that version/)
  } finally {
    await database.close()
  }
}

const title = 'a server works on tables of the next version, and leaves migrating to that'
const onDatabase = (t: ExecutionContext, backend: DatabaseBackend): Promise<void> =>
  onBackend[backend]((url) => worksOnLaterTables(t, url))

test(`${title} (SQLite)`, (t) => onDatabase(t, 'sqlite'))
if (mariaDbAvailable()) test(`${title} (MariaDB)`, (t) => onDatabase(t, 'mariadb'))

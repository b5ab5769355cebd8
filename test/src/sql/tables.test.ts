import {
  connectSql,
  createSqlPorts,
  migrate,
  migrationStatus,
  UnreleasedBuildError,
} from '@account-import/adapter-sql'
import test, { type ExecutionContext } from 'ava'
import { answer } from '../support/answers.js'
import { newSqlite } from '../support/on-backend.js'
import { textOf } from '../support/repository.js'
import { testDatabases, type Opened, type TestDatabase } from './support/databases.js'
import { stagingOf } from './support/imports.js'

const { onEach, onMariaDb, mariaDb, onMysqlServers, onPostgresql, onSqlite } = testDatabases()

type Knex = Opened['knex']

const books = 'account_import_migrations'

/** The first difference that is found; also by what would change the tables. */
const differenceOf = async (t: ExecutionContext, knex: Knex): Promise<string> => {
  const found = await t.throwsAsync(migrationStatus(knex), { instanceOf: UnreleasedBuildError })
  t.like(await t.throwsAsync(migrate(knex)), {
    code: 'DATABASE_OF_UNRELEASED_BUILD',
    message: found?.message ?? '',
  })
  return found?.message ?? ''
}

/** A change of the tables by which another build would differ, and what is said of it. */
type Change = readonly [difference: string, ...statements: readonly string[]]

const ofAllDatabases: readonly Change[] = [
  [
    'the column revision of the table import_suppliers is missing',
    'ALTER TABLE import_suppliers DROP COLUMN revision',
  ],
  ['the column block of the table audit_log is missing', 'DROP TABLE audit_log'],
  [
    'the column undone_by of the table import_runs is missing',
    'ALTER TABLE import_runs RENAME COLUMN undone_by TO undone_who',
  ],
]

const withTypesOfMysql: readonly Change[] = [
  [
    'the column token of the table leases is varchar(32), not varchar(64)',
    'DROP TABLE leases',
    'CREATE TABLE leases (job VARCHAR(64) NOT NULL, token VARCHAR(32) NOT NULL, ends_at DATETIME(3) NOT NULL, PRIMARY KEY (job))',
  ],
  [
    'the column ends_at of the table leases takes NULL',
    'DROP TABLE leases',
    'CREATE TABLE leases (job VARCHAR(64) NOT NULL, token VARCHAR(64) NOT NULL, ends_at DATETIME(3), PRIMARY KEY (job))',
  ],
  [
    'the key PRIMARY of the table leases has the columns job, token, not job',
    'DROP TABLE leases',
    'CREATE TABLE leases (job VARCHAR(64) NOT NULL, token VARCHAR(64) NOT NULL, ends_at DATETIME(3) NOT NULL, PRIMARY KEY (job, token))',
  ],
]

const ofPostgresql: readonly Change[] = [
  [
    'the column token of the table leases is text collate "c", not text collate "c" check ((length(token) <= 64))',
    'ALTER TABLE leases DROP CONSTRAINT leases_token_check',
  ],
  [
    'the column name of the table organisations is text collate "default", not text collate "c"',
    'ALTER TABLE organisations ALTER COLUMN name TYPE TEXT COLLATE "default"',
  ],
  [
    'the column ends_at of the table leases takes NULL',
    'ALTER TABLE leases ALTER COLUMN ends_at DROP NOT NULL',
  ],
  [
    'the key PRIMARY of the table leases has the columns job, token, not job',
    'ALTER TABLE leases DROP CONSTRAINT leases_pkey, ADD PRIMARY KEY (job, token)',
  ],
]

const changedIndex = (drop: (index: string, table: string) => string): readonly Change[] => [
  [
    'the key rate_limits_by_end of the table rate_limits is missing',
    drop('rate_limits_by_end', 'rate_limits'),
  ],
  [
    'the key account_imports_by_number of the table account_imports is missing',
    drop('account_imports_by_number', 'account_imports'),
  ],
  [
    'the key customer_emails_by_id of the table customer_emails is not unique',
    drop('customer_emails_by_id', 'customer_emails'),
    'CREATE INDEX customer_emails_by_id ON customer_emails (id)',
  ],
  [
    'the key customer_emails_due of the table customer_emails has the columns state, not state, due_at',
    drop('customer_emails_due', 'customer_emails'),
    'CREATE INDEX customer_emails_due ON customer_emails (state)',
  ],
]

const isNamed =
  ([difference, ...statements]: Change) =>
  async (t: ExecutionContext, { open }: TestDatabase): Promise<void> => {
    const { knex } = open()
    for (const statement of statements) await knex.raw(statement)
    t.is((await differenceOf(t, knex)).toLowerCase(), difference.toLowerCase())
  }

for (const change of ofAllDatabases) onEach(`named, and not migrated: ${change[0]}`, isNamed(change))
for (const change of withTypesOfMysql)
  for (const on of [onSqlite, onMysqlServers]) on(`named, and not migrated: ${change[0]}`, isNamed(change))
for (const change of ofPostgresql) onPostgresql(`named, and not migrated: ${change[0]}`, isNamed(change))
for (const change of changedIndex((index) => `DROP INDEX ${index}`))
  for (const on of [onSqlite, onPostgresql]) on(`named, and not migrated: ${change[0]}`, isNamed(change))
for (const change of changedIndex((index, table) => `DROP INDEX ${index} ON ${table}`))
  onMysqlServers(`named, and not migrated: ${change[0]}`, isNamed(change))

onEach(
  'tables, columns and indexes that an operator or a later version added are no difference',
  async (t, { open }) => {
    const { knex } = open()
    const steps = (await migrationStatus(knex)).done
    for (const statement of [
      'CREATE TABLE of_the_operator (id INT NOT NULL, PRIMARY KEY (id))',
      'ALTER TABLE import_runs ADD COLUMN ticket VARCHAR(20)',
      'CREATE INDEX import_runs_by_label ON import_runs (organisation, label)',
    ])
      await knex.raw(statement)
    t.deepEqual(await migrationStatus(knex), { done: steps, unknown: [], pending: [] })
    await knex(books).insert({ name: '9999-later', migration_time: new Date() })
    t.deepEqual((await migrationStatus(knex)).unknown, ['9999-later'])
  },
)

onMysqlServers('a column that a later version made longer is no difference', async (t, { open }) => {
  const { knex } = open()
  await knex.raw('ALTER TABLE import_runs MODIFY label VARCHAR(300)')
  t.regex(await differenceOf(t, knex), /label of the table import_runs is varchar\(300\), not varchar\(255\)/)
  await knex(books).insert({ name: '9999-later', migration_time: new Date() })
  t.deepEqual((await migrationStatus(knex)).pending, [])
})

/** Statements of the tables of the oldest build that is brought forward. */
const firstTables = textOf('test/src/sql/support/first-tables.sql')
  .split('\n')
  .filter((line) => !line.startsWith('--') && line !== '')

/** The database at the address is empty. */
const isBroughtForward = async (t: ExecutionContext, url: string): Promise<void> => {
  const knex = connectSql(url)
  t.teardown(() => knex.destroy())
  for (const statement of firstTables) await knex.raw(statement.replace(/;$/, ''))
  await knex.schema.createTable(books, (table) => {
    table.increments()
    table.string('name')
    table.integer('batch')
    table.timestamp('migration_time')
  })
  await knex(books).insert({ name: '0001-tables', migration_time: new Date() })
  await migrate(knex)
  t.deepEqual((await migrationStatus(knex)).pending, [])
  t.deepEqual(await answer(createSqlPorts(knex).accountImports.stage([stagingOf('1')])), [
    { _tag: 'created', version: 1 },
  ])
}

/** All columns of the tables and of their indexes in a file of SQLite. */
const columnsIn = (knex: Knex): PromiseLike<unknown> =>
  knex.raw(
    'SELECT m.tbl_name, m.name, c.name AS place, c.type, c."notnull" AS needed FROM sqlite_master AS m, pragma_table_info(m.name) AS c ' +
      `WHERE m.tbl_name NOT LIKE '${books}%' UNION ALL SELECT m.tbl_name, m.name, i.name, '', i.seqno ` +
      `FROM sqlite_master AS m, pragma_index_info(m.name) AS i WHERE m.tbl_name NOT LIKE '${books}%' ORDER BY 1, 2, 3`,
  )

const title =
  'a database of the oldest tables is migrated to those of this build, so no table changes without a step'

test(`${title} (SQLite)`, async (t) => {
  const { url, remove } = await newSqlite()
  t.teardown(remove)
  await isBroughtForward(t, url)
  const [forward, made] = [connectSql(url), connectSql('sqlite::memory:')]
  t.teardown(() => Promise.all([forward.destroy(), made.destroy()]).then(() => undefined))
  await migrate(made)
  t.deepEqual(await columnsIn(forward), await columnsIn(made))
})
onMariaDb(title, async (t) => isBroughtForward(t, await mariaDb().createDatabase()))
// No released build had tables on PostgreSQL before those of this one.

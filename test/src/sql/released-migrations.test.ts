import { migrate } from '@account-import/adapter-sql'
import type { ExecutionContext } from 'ava'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, textOf } from '../support/repository.js'
import { asLeftBy, emptied } from './support/as-left-by.js'
import { testDatabases, type Opened } from './support/databases.js'

const { onMariaDb, onSqlite } = testDatabases()

type Knex = Opened['knex']
type Query = Readonly<{ sql: string; bindings?: readonly unknown[] }>

/** Two that repeat each other, one of documents alone, one of blanks, and one with all that a note can have. */
const notes = [
  {
    body: 'again',
    document_paths: '[]',
    created_at: '2024-01-01 00:00:00.000',
    is_pinned: 0,
    unpin_at: null,
  },
  {
    body: 'again',
    document_paths: '[]',
    created_at: '2024-01-01 00:00:00.999',
    is_pinned: 0,
    unpin_at: null,
  },
  {
    body: null,
    document_paths: '[{"document_path":"a/é.pdf"},{"document_path":"b.pdf"}]',
    created_at: '2024-01-02 03:04:05.678',
    is_pinned: 0,
    unpin_at: null,
  },
  {
    body: ' \u00a0',
    document_paths: '[]',
    created_at: '2024-01-03 00:00:00.000',
    is_pinned: 0,
    unpin_at: null,
  },
  {
    body: 'whole',
    document_paths: '[{"document_path":"c"}]',
    created_at: '2024-01-04 00:00:00.000',
    is_pinned: 1,
    unpin_at: '2025-01-01 00:00:00.000',
  },
]

/** An account as it was before the fourth step, with notes, and staged data; the database has the first three. */
const insertAccount = async (knex: Knex): Promise<void> => {
  const supplier = { organisation: 'ACME', import_supplier: 'LEVANTE' }
  const account = { ...supplier, platform_account_number: 'P-1' }
  await knex('import_suppliers').insert({
    organisation: 'ACME',
    code: 'LEVANTE',
    status: 'ongoing',
    settings: '{}',
  })
  await knex('accounts').insert({
    ...account,
    external_account_number: 'A-1',
    operations_team: 'Team',
    staged_version: 1,
    created_at: '2024-01-05 00:00:00.000',
    account_type: 'DOMESTIC',
    sales_channel: 'DIRECT',
    unknown_occupier: 0,
    communication_preference: 'ONLINE',
  })
  await knex('notes').insert(notes.map((note, ordinal) => ({ ...account, ordinal, ...note })))
  const staged = { ...supplier, external_account_number: 'A-1' }
  await knex('account_imports').insert({
    ...staged,
    staged_version: 2,
    state: 'staged',
    skipped: 0,
    holds_slot: 0,
    attempts: 0,
  })
  await knex('staged_accounts').insert({ ...staged, version: 2, payload: '{"a":1}' })
}

const isOfTheBooks = /account_import_migrations|sqlite_master where type|^(BEGIN|COMMIT|SAVEPOINT|RELEASE)/i

/** The statements of the work with their values, after those of each step its name; the books of migrations left out. */
const statementsOf = async (knex: Knex, work: () => Promise<unknown>): Promise<readonly string[]> => {
  const lines: string[] = []
  const listen = ({ sql, bindings = [] }: Query): void => {
    const text = sql
      .trim()
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/_knex_temp_alter\d+/g, '_knex_temp_alter')
    if (/^insert into .account_import_migrations. /.test(text))
      lines.push(`-- ${bindings.find((value) => typeof value === 'string')} ends here`)
    else {
      const line = bindings.length === 0 ? text : `${text} -- ${JSON.stringify(bindings)}`
      if (!isOfTheBooks.test(line)) lines.push(line)
    }
  }
  knex.on('query', listen)
  await work()
  knex.removeListener('query', listen)
  return lines
}

/** All steps on an empty database, and the fourth and later ones over an account. */
const recorded = async (knex: Knex): Promise<string> => {
  await emptied(knex)
  const fresh = await statementsOf(knex, () => migrate(knex))
  await asLeftBy(knex, '0003-accounts')
  await insertAccount(knex)
  const later = await statementsOf(knex, () => migrate(knex))
  const parts = ['-- On an empty database', ...fresh, '-- Over an account', ...later]
  return `${parts.join('\n')}\n`
}

const changed = (file: string): string =>
  'A released migration does something else than where it has run already. Take that back, and make it a new step. ' +
  `Only for a new step: delete ${file} and run the test; it writes the file, to which nothing but the new step is to come.`

const sameAsReleased = async (t: ExecutionContext, knex: Knex, name: string): Promise<void> => {
  const file = `test/src/sql/released/${name}.sql`
  const statements = await recorded(knex)
  if (existsSync(join(root, file))) {
    t.is(statements, textOf(file), changed(file))
    return
  }
  writeFileSync(join(root, file), statements)
  t.fail(`${file} was written: see what has changed in it, and run the test again`)
}

const title = 'a released migration sends what it sent when it was released'

onSqlite(title, (t, { open }) => sameAsReleased(t, open().knex, 'sqlite'))
onMariaDb(title, (t, { open }) => sameAsReleased(t, open({ maxConnections: 1 }).knex, 'mariadb'))

import type { Knex } from 'knex'
import { addIndex } from './add-index.js'
import { instant, lengths } from './columns.js'
import { createTable } from './create-table.js'
import type { SchemaDialect, Step } from './schema-dialect.js'

const imports = 'account_imports'
const answers = 'kept_answers'
const turns = 'turns'

type Column = readonly [table: string, name: string, add: (table: Knex.CreateTableBuilder) => void]

const columns: readonly Column[] = [
  [imports, 'payload_removed_at', (table) => instant(table, 'payload_removed_at')],
  [imports, 'erased_at', (table) => instant(table, 'erased_at')],
  ['accounts', 'erased_at', (table) => instant(table, 'erased_at')],
  [answers, 'import_supplier', (table) => table.string('import_supplier', lengths.importSupplier)],
  [
    answers,
    'external_account_number',
    (table) => table.string('external_account_number', lengths.externalAccountNumber),
  ],
]

const counted = ['organisation', 'import_supplier', 'state', 'latest_failure_code', 'claim_expires_at']

/** Of created imports, those that have their staged data stand together in it, in the order in which that is due. */
const countedAndDue = [...counted, 'payload_removed_at', 'account_created_at']

const summary = 'account_imports_summary'

/**
 * Under its name, which servers of the version before ask for. MySQL does it in one statement, SQLite in the transaction of the
 * run: there is always such an index, and a run that was cut off makes it again.
 */
const remakeSummary = async (knex: Knex, { name }: SchemaDialect, list: readonly string[]): Promise<void> => {
  const on = `(${list.join(', ')})`
  if (name === 'mysql')
    return void (await knex.raw(`ALTER TABLE ${imports} DROP INDEX ${summary}, ADD INDEX ${summary} ${on}`))
  await knex.raw(`DROP INDEX ${summary}`)
  await knex.raw(`CREATE INDEX ${summary} ON ${imports} ${on}`)
}

const createTurns: Step = (knex, schema) =>
  createTable(knex, schema, turns, (table) => {
    table.string('job', lengths.token).notNullable()
    table.string('token', lengths.token).notNullable()
    instant(table, 'ends_at').notNullable()
    table.primary(['job'])
  })

/**
 * When staged data was removed, and an account erased; whose answers are kept; and which server does a job of all servers. An
 * index finds the staged data that is due, without one more to keep: that of the summary has two columns more.
 */
export const up: Step = async (knex, schema) => {
  for (const [table, name, add] of columns)
    if (!(await knex.schema.hasColumn(table, name))) await knex.schema.alterTable(table, add)
  await remakeSummary(knex, schema, countedAndDue)
  await addIndex(
    knex,
    schema,
    answers,
    ['organisation', 'import_supplier', 'external_account_number'],
    'kept_answers_by_account',
  )
  if (!(await knex.schema.hasTable(turns))) await createTurns(knex, schema)
}

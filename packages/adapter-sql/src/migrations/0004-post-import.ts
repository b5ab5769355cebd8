import { addUnique } from './add-index.js'
import { accountRowKey, instant, longText, money, texts } from './columns.js'
import { createTable } from './create-table.js'
import { identifyNotes } from './identify-notes.js'
import type { Step } from './schema-dialect.js'

const accountKey = ['organisation', 'import_supplier', 'platform_account_number']

/**
 * What tells the notes of an account apart. Notes that an account was created with get it too: adding one of them
 * again adds nothing.
 */
const addNoteIdentity: Step = async (knex, schema) => {
  // MySQL ends a transaction with each change of a table: a migration that was cut off is run again.
  if (!(await knex.schema.hasColumn('notes', 'content_digest')))
    await knex.schema.alterTable('notes', (table) => {
      table.string('content_digest', 64)
      table.string('identity_time', 20)
    })
  await identifyNotes(knex, schema)
  await addUnique(
    knex,
    schema,
    'notes',
    [...accountKey, 'content_digest', 'identity_time'],
    'notes_by_content',
  )
}

/** Bills from before the migration say more than those of an account's payload; ids are unique in an account. */
const extendStatements: Step = async (knex, schema) => {
  if (!(await knex.schema.hasColumn('statements', 'issued_date')))
    await knex.schema.alterTable('statements', (table) => {
      table.date('issued_date')
      texts(table, 255, ['number'])
      money(table, 'gross_amount')
    })
  await addUnique(knex, schema, 'statements', [...accountKey, 'statement_id'], 'statements_by_id')
}

/** What vendors told of an instruction is kept as JSON: nobody searches it. */
const createPaymentInstructions: Step = async (knex, schema) => {
  if (!(await knex.schema.hasTable('payment_instructions')))
    await createTable(knex, schema, 'payment_instructions', (table) => {
      const key = accountRowKey(table)
      table.integer('ordinal').notNullable()
      table.string('vendor', 64).notNullable()
      table.string('reference', 512).notNullable()
      table.string('type', 16).notNullable()
      longText(table, 'details').notNullable()
      instant(table, 'created_at').notNullable()
      table.primary([...key, 'ordinal'])
    })
  await addUnique(
    knex,
    schema,
    'payment_instructions',
    [...accountKey, 'vendor', 'reference'],
    'payment_instructions_by_reference',
  )
}

export const up: Step = async (knex, schema) => {
  await addNoteIdentity(knex, schema)
  await extendStatements(knex, schema)
  await createPaymentInstructions(knex, schema)
}

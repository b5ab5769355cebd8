import type { Knex } from 'knex'
import { tables } from '../tables.js'
import { addUnique } from './add-index.js'
import { accountRowKey, instant, longText, money, texts } from './columns.js'
import { createTable } from './create-table.js'
import { identifyNotes } from './identify-notes.js'

const accountKey = ['organisation', 'import_supplier', 'platform_account_number']

/**
 * What tells the notes of an account apart. Notes that an account was created with get it too: adding one of them
 * again adds nothing.
 */
const addNoteIdentity = async (knex: Knex): Promise<void> => {
  // MySQL ends a transaction with each change of a table: a migration that was cut off is run again.
  if (!(await knex.schema.hasColumn(tables.notes, 'content_digest')))
    await knex.schema.alterTable(tables.notes, (table) => {
      table.string('content_digest', 64)
      table.string('identity_time', 20)
    })
  await identifyNotes(knex)
  await addUnique(knex, tables.notes, [...accountKey, 'content_digest', 'identity_time'], 'notes_by_content')
}

/** Bills from before the migration say more than those of an account's payload; ids are unique in an account. */
const extendStatements = async (knex: Knex): Promise<void> => {
  if (!(await knex.schema.hasColumn(tables.statements, 'issued_date')))
    await knex.schema.alterTable(tables.statements, (table) => {
      table.date('issued_date')
      texts(table, 255, ['number'])
      money(table, 'gross_amount')
    })
  await addUnique(knex, tables.statements, [...accountKey, 'statement_id'], 'statements_by_id')
}

/** What vendors told of an instruction is kept as JSON: nobody searches it. */
const createPaymentInstructions = async (knex: Knex): Promise<void> => {
  if (!(await knex.schema.hasTable(tables.paymentInstructions)))
    await createTable(knex, tables.paymentInstructions, (table) => {
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
    tables.paymentInstructions,
    [...accountKey, 'vendor', 'reference'],
    'payment_instructions_by_reference',
  )
}

export const up = async (knex: Knex): Promise<void> => {
  await addNoteIdentity(knex)
  await extendStatements(knex)
  await createPaymentInstructions(knex)
}

export const down = async (knex: Knex): Promise<void> => {
  await knex.schema.dropTable(tables.paymentInstructions)
  await knex.schema.alterTable(tables.statements, (table) => {
    table.dropUnique([...accountKey, 'statement_id'], 'statements_by_id')
    table.dropColumns('issued_date', 'number', 'gross_amount')
  })
  await knex.schema.alterTable(tables.notes, (table) => {
    table.dropUnique([...accountKey, 'content_digest', 'identity_time'], 'notes_by_content')
    table.dropColumns('content_digest', 'identity_time')
  })
}

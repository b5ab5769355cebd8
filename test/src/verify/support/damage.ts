import type { BreakKind } from '@account-import/adapter-sql'
import type { Opened } from '../../sql/support/databases.js'
import type { SetUp } from '../../support/set-up.js'

type Knex = Opened['knex']

/** The database that is damaged. */
export type Site = SetUp & Readonly<{ knex: Knex }>

/** A damage of the database, and its expected break. */
export type Damage = Readonly<{
  title: string
  kinds: readonly BreakKind[]
  /** The place that the break has to name; its external number, or absent if it has none. */
  about: string | undefined
  do(site: Site): PromiseLike<unknown>
}>

type Values = Readonly<Record<string, unknown>>

/** Changes the row of an import. */
export const inImport =
  (external: string, values: Values) =>
  ({ knex }: Site): PromiseLike<unknown> =>
    knex('account_imports').where('external_account_number', external).update(values)

/** Changes rows of the account A-1. */
export const inTable =
  (table: string, where: Values, values: Values) =>
  ({ knex }: Site): PromiseLike<unknown> =>
    knex(table)
      .where({ external_account_number: 'A-1', ...where })
      .update(values)

/** Deletes rows of the account A-1. */
export const gone =
  (table: string, where: Values) =>
  ({ knex }: Site): PromiseLike<unknown> =>
    knex(table)
      .where({ external_account_number: 'A-1', ...where })
      .delete()

/** Inserts a changed copy of a row of A-1. */
export const copied =
  (table: string, where: Values, changes: Values) =>
  async ({ knex }: Site): Promise<void> => {
    const row = (await knex(table)
      .where({ external_account_number: 'A-1', ...where })
      .first()) as Values
    await knex(table).insert({ ...row, ...changes })
  }

/** Creates the table again with the same rows and no keys, as an incomplete dump does. */
export const keyless = async (knex: Knex, table: string): Promise<void> => {
  await knex.raw(`CREATE TABLE copied_rows AS SELECT * FROM ${table}`)
  await knex.schema.dropTable(table)
  await knex.schema.renameTable('copied_rows', table)
}

/** Replaces a unique key by an index of the same name, so that rows are still found. */
export const notUnique = async (
  knex: Knex,
  table: string,
  index: string,
  columns: readonly string[],
): Promise<void> => {
  await knex.schema.alterTable(table, (altered) => {
    altered.dropUnique([], index)
  })
  await knex.schema.alterTable(table, (altered) => {
    altered.index([...columns], index)
  })
}

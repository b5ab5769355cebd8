import { connectSql } from '@account-import/adapter-sql'

/** Gives a new number each time. */
export type Sequence = Readonly<{ next(): Promise<number>; close(): Promise<void> }>

/** In place of your platform's own source of numbers: here, the row numbers of a table in its own database. */
export const platformSequence = async (databaseUrl: string): Promise<Sequence> => {
  const database = connectSql(databaseUrl)
  if (!(await database.schema.hasTable('account_numbers')))
    await database.schema.createTable('account_numbers', (table) => table.increments('id'))
  return {
    next: async () => Number((await database('account_numbers').insert({}))[0]),
    close: () => database.destroy(),
  }
}

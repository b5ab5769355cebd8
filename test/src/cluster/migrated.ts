import { connectSql, migrate } from '@account-import/adapter-sql'

/** Makes the tables in an empty database. */
export const migrated = async (databaseUrl: string): Promise<void> => {
  const knex = connectSql(databaseUrl)
  try {
    await migrate(knex)
  } finally {
    await knex.destroy()
  }
}

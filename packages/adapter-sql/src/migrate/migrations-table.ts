/** A table name of our own: the database may hold another program's migrations too. */
export const migrationsTable = 'account_import_migrations'

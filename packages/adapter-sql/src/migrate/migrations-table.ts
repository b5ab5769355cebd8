/** Table names of our own: the database may hold another program's migrations too. */
export const migrationsTable = 'account_import_migrations'

/** Says which process runs migrations now. */
export const migrationOwnerTable = 'account_import_migrations_owner'

export {
  assertTakesWrites,
  connectSql,
  databaseTime,
  mostStatementBytes,
  poolUse,
  type PoolUse,
} from './connect-sql.js'
export { createSqlPorts, type SqlPortsOptions } from './create-sql-ports.js'
export type { ConnectOptions, RetryReason } from './dialects/sql-dialect.js'
export { DatabaseError } from './drivers/database-error.js'
export { encryptionKeyUse, knowsEncryptionKey, missingEncryptionKeys } from './encryption-keys.js'
export { registerEncryptionKey, rewrapDataKeys, type KeyUse } from './encryption-keys.js'
export { migrate, migrationStatus, UnreleasedBuildError, type MigrationStatus } from './migrate.js'
export type { TableDifference } from './schema/differences.js'
export { writeProbe } from './ports/shared-by-servers.js'
export type {
  ExtendedAccount,
  Hook,
  Hooks,
  KnownAccount,
  OnAccountsCreated,
  UndoneAccount,
} from './ports/hooks.js'
export { DecryptionError, KeyRingError } from './sql/crypto.js'
export { parseEncryptionKeys, secretKeyRing, type EncryptionKey } from './sql/crypto.js'
export type { OnRetry } from './sql/failures.js'
export type { OnBatch } from './sql/session.js'
export { breakKinds, type Break, type BreakKind, type Counted, type OnVerified } from './verify/breaks.js'
export { verify, type VerifyOptions, type VerifyScope } from './verify/verify.js'

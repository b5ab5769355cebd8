export { assertTakesWrites, connectSql, poolUse, type PoolUse } from './connect-sql.js'
export { createSqlPorts, type SqlPortsOptions } from './create-sql-ports.js'
export { type ConnectOptions, type RetryReason } from './dialects/sql-dialect.js'
export { DatabaseError, type Denied } from './drivers/database-error.js'
export {
  encryptionKeyUse,
  knowsEncryptionKey,
  missingEncryptionKeys,
  registerEncryptionKey,
  rewrapDataKeys,
  type EncryptedKind,
  type KeyUse,
} from './encryption-keys.js'
export { migrate, migrationStatus, type MigrationStatus } from './migrate.js'
export { sqlRateLimits } from './ports/rates-and-leases.js'
export { type OnAccountsCreated } from './ports/unit-of-work.js'
export {
  DecryptionError,
  KeyRingError,
  parseEncryptionKeys,
  secretKeyRing,
  type EncryptionKey,
} from './sql/crypto.js'
export { type OnRetry, type Retry } from './sql/failures.js'
export { type Batch, type OnBatch } from './sql/session.js'
export { breakKinds, type Break, type BreakKind } from './verify/break-kinds.js'
export { verify, type Counted, type OnVerified, type VerifyScope } from './verify/verify.js'

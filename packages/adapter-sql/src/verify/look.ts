import type { Instant } from '@account-import/core'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import type { DataKeys } from '../encryption/data-keys.js'
import type { Statements } from '../session/statements.js'

/** Whose rows are looked at: every table of accounts and imports begins its keys with it. */
export type SupplierKey = Readonly<{ organisation: string; import_supplier: string }>

/** What is counted on the way. */
export type Counted = 'suppliers' | 'imports' | 'accounts' | 'emails' | 'rows'

/** One look at the rows of a supplier. */
export type Look = Readonly<{
  db: Statements
  dialect: SqlDialect
  dataKeys: DataKeys
  supplier: SupplierKey
  /** Only what has this number: external where imports are walked over, platform where accounts are. */
  only?: string
  now: Instant
  teams: ReadonlySet<string>
  /** Indexes that the database lacks, by `indexId`: it cannot be asked to read by them. */
  lacking: ReadonlySet<string>
  count(what: Counted, many: number): void
}>

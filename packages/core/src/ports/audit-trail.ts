import type { AuditEntry, SealedEntry } from '../domain/audit-entry.js'
import type { Instant } from '../values/instant.js'
import type { PortResult } from './port-failure.js'

/** Selects the entries of one organisation that meet all of these conditions. */
export type AuditFilter = Readonly<{
  organisation: string
  importSupplier?: string | undefined
  externalAccountNumber?: string | undefined
  /** Only entries at this instant or after it. */
  from?: Instant | undefined
  /** Only entries before this instant. */
  until?: Instant | undefined
}>

/**
 * The use of a key from a network. `entry`: recorded for each use, unless undefined; `ifNew`: recorded for the first from the
 * network.
 */
export type KeyUse = Readonly<{
  apiKeyId: string
  network: string
  entry: AuditEntry | undefined
  ifNew: AuditEntry
}>

/** The end of an organisation's chain. */
export type ChainHead = Readonly<{ organisation: string; sequence: number; hash: string }>

/**
 * The result of sealing: the number of sealed entries, and whether there may be `more`; `elsewhere`: another sealer is at work,
 * and nothing was done.
 */
export type Sealing =
  | Readonly<{ _tag: 'sealed'; entries: number; more: boolean }>
  | Readonly<{ _tag: 'elsewhere' }>

/**
 * Whether an entry equals the sealed one: `intact`, `changed`, or unknown because the sealing key is missing; `key` is its id.
 */
export type SealCheck =
  | Readonly<{ _tag: 'intact' }>
  | Readonly<{ _tag: 'changed' }>
  | Readonly<{ _tag: 'key_missing'; key: string }>

/**
 * The audit trail. Entries are stored in the same transaction as the change that they describe, and are sealed later: an
 * organisation's entries then have numbers without gaps from 1, and each a hash over the entry and the hash before it
 * (`sealedText`). `AccountImports` records its own changes.
 */
export interface AuditTrail {
  /** Stores entries. Inside a unit of work they are committed or rolled back with it. */
  record(entries: readonly AuditEntry[]): PortResult<void>
  /**
   * Seals about `limit` (1 to 1000) unsealed entries, the oldest first; entries of one account in the order in which they were
   * recorded. Concurrent calls are allowed: no entry is sealed twice. The cost depends on the limit alone.
   */
  seal(limit: number): PortResult<Sealing>
  /** Sealed entries, in the order of their numbers: only after that number, at most `limit` (1 to 1000). */
  sealed(filter: AuditFilter, after: number, limit: number): PortResult<readonly SealedEntry[]>
  /** At most about `limit` (1 to 1000) unsealed entries, the oldest. */
  unsealed(filter: AuditFilter, limit: number): PortResult<readonly AuditEntry[]>
  /** The ends of all chains, in order of organisation; none for organisations without sealed entries. */
  heads(): PortResult<readonly ChainHead[]>
  /**
   * Stores `entry` of a key's use from a network, if there is one, and `ifNew` if it is the first use from the network; exactly
   * one of several concurrent uses is the first. Atomic.
   */
  recordUse(use: KeyUse): PortResult<void>
  /** Checks the hash of an entry that follows an entry with the hash `previous`. */
  checkSeal(previous: string, sealed: SealedEntry): PortResult<SealCheck>
}

/** Whether the filter selects the entry. */
export const isWanted =
  (filter: AuditFilter) =>
  ({ organisation, importSupplier, externalAccountNumber, at }: AuditEntry): boolean =>
    organisation === filter.organisation &&
    (filter.importSupplier ?? importSupplier) === importSupplier &&
    (filter.externalAccountNumber ?? externalAccountNumber) === externalAccountNumber &&
    (filter.from === undefined || at >= filter.from) &&
    (filter.until === undefined || at < filter.until)

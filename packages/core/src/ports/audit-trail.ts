import type { AuditEntry, SealedEntry } from '../domain/audit-entry.js'
import type { Instant } from '../values/instant.js'
import type { PortResult } from './port-failure.js'

/** Which entries are wanted: of one organisation, and of that what all of these say. */
export type AuditFilter = Readonly<{
  organisation: string
  importSupplier?: string | undefined
  externalAccountNumber?: string | undefined
  /** Only what was done at this instant or after it. */
  from?: Instant | undefined
  /** Only what was done before this instant. */
  until?: Instant | undefined
}>

/** The use of a key from a network, and what the record says of it: `entry`, if anything; `ifNew` where it is the first from there. */
export type KeyUse = Readonly<{
  apiKeyId: string
  network: string
  entry: AuditEntry | undefined
  ifNew: AuditEntry
}>

/** The end of an organisation's chain. */
export type ChainHead = Readonly<{ organisation: string; sequence: number; hash: string }>

/**
 * The result of a look for unsealed entries: so many were sealed, and perhaps there are `more`; or another sealer was faster,
 * and nothing was done.
 */
export type Sealing =
  | Readonly<{ _tag: 'sealed'; entries: number; more: boolean }>
  | Readonly<{ _tag: 'elsewhere' }>

/**
 * Whether an entry is what was sealed: `intact`, `changed`, or sealed with a key that is not there, named by an id that says nothing
 * else of it.
 */
export type SealCheck =
  | Readonly<{ _tag: 'intact' }>
  | Readonly<{ _tag: 'changed' }>
  | Readonly<{ _tag: 'key_missing'; key: string }>

/**
 * The record of what was done. Entries are kept as they are recorded, in the same transaction as what they tell of, and are
 * sealed later: an organisation's entries then have numbers without holes from 1, and a hash each that goes over the entry
 * and the hash before it (`sealedText`). `AccountImports` records its own changes.
 */
export interface AuditTrail {
  /** Keeps entries. Inside a unit of work they are kept with it, or go with it. */
  record(entries: readonly AuditEntry[]): PortResult<void>
  /**
   * Seals entries that are not sealed yet, about `limit` (1 to 1000) of them, those first that wait longest; of one account in
   * the order in which they were recorded. All stores may do so at any time: no entry is sealed twice. Cost depends on the
   * limit alone.
   */
  seal(limit: number): PortResult<Sealing>
  /** Sealed entries, in the order of their numbers: only after that number, at most `limit` (1 to 1000). */
  sealed(filter: AuditFilter, after: number, limit: number): PortResult<readonly SealedEntry[]>
  /** Unsealed entries: at most about `limit` (1 to 1000) entries, those that wait longest. */
  unsealed(filter: AuditFilter, limit: number): PortResult<readonly AuditEntry[]>
  /** The ends of all chains, in order of organisation; of organisations without sealed entries there is none. */
  heads(): PortResult<readonly ChainHead[]>
  /**
   * Keeps the entry of a key's use from a network, if it has one; where it never was used from there before, the entry `ifNew` too, of several
   * uses at the same time with one of them. All of it or nothing.
   */
  recordUse(use: KeyUse): PortResult<void>
  /** Whether the hash of an entry is the one that it has to have in its place, after an entry with the previous hash. */
  checkSeal(previous: string, sealed: SealedEntry): PortResult<SealCheck>
}

/** Whether an entry is among those that are wanted. */
export const isWanted =
  (filter: AuditFilter) =>
  ({ organisation, importSupplier, externalAccountNumber, at }: AuditEntry): boolean =>
    organisation === filter.organisation &&
    (filter.importSupplier ?? importSupplier) === importSupplier &&
    (filter.externalAccountNumber ?? externalAccountNumber) === externalAccountNumber &&
    (filter.from === undefined || at >= filter.from) &&
    (filter.until === undefined || at < filter.until)

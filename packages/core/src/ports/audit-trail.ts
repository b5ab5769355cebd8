import type { AuditEntry, ListedEvent, SealedBlock, StoredEvent } from '../domain/audit-entry.js'
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

/** The last block of an organisation's chain. */
export type ChainHead = Omit<SealedBlock, 'events'>

/**
 * The number of sealed `events`, and whether there may be `more`. None and more: another sealer is at work, or transactions hold the
 * events.
 */
export type Sealing = Readonly<{ events: number; more: boolean }>

/**
 * Whether a block equals the sealed one: `intact`, `changed`, or unknown because the sealing key is missing; `key` is its id.
 */
export type SealCheck =
  | Readonly<{ _tag: 'intact' }>
  | Readonly<{ _tag: 'changed' }>
  | Readonly<{ _tag: 'key_missing'; key: string }>

/**
 * A number of a chain: its block, undefined where none has the number, and the events that claim to be sealed in it, in the order of
 * their ids; where there are more than a block may have, at least 1001 of them.
 */
export type ChainPart = Readonly<{
  number: number
  block: SealedBlock | undefined
  events: readonly StoredEvent[]
}>

/**
 * The place of a sealed event: events are in the order of their blocks, and in a block in the order of their ids. Without an id,
 * the end of the block.
 */
export type SealedPlace = Readonly<{ block: number; id?: string }>

/**
 * The audit trail. Events are stored in the same transaction as the change that they describe, and are sealed later, in blocks: an
 * organisation's blocks have numbers without gaps from 1, and each a hash over its events and the hash before it (`sealedText`).
 * `AccountImports` records its own changes.
 */
export interface AuditTrail {
  /** Stores entries, all or none. Inside a unit of work they are committed or rolled back with it. */
  record(entries: readonly AuditEntry[]): PortResult<void>
  /**
   * Seals the oldest unsealed events of each organisation, in one or more blocks of at most `limit` (1 to 1000) events. Concurrent
   * calls are allowed: no event is sealed twice.
   */
  seal(limit: number): PortResult<Sealing>
  /** The time of the event that has waited longest to be sealed; undefined where none waits. */
  oldestUnsealed(): PortResult<Instant | undefined>
  /**
   * At most `limit` (1 to 1000) sealed events in the order of their places, after the given place: every event that names a block,
   * whatever its number is, and whether the block exists or not. Where fewer are left, they are followed by the events that wait to be
   * sealed, at most `limit`, the oldest of each supplier. All as of one moment, so that each event is in the list once.
   */
  events(
    filter: AuditFilter,
    after: SealedPlace | undefined,
    limit: number,
  ): PortResult<readonly ListedEvent[]>
  /**
   * At most `limit` (1 to 1000) parts of a chain in the order of their numbers, after the given one: of all blocks, and of all
   * events that name a block, whatever the number is. Blocks and events are read as of one moment, so that a block is never without
   * its events. May have fewer than `limit`, to bound the events in memory; none after the last.
   */
  chain(organisation: string, after: number | undefined, limit: number): PortResult<readonly ChainPart[]>
  /** The organisations that have blocks, or sealed events, in order. */
  organisations(): PortResult<readonly string[]>
  /** The ends of all chains, in order of organisation; none for organisations without blocks. */
  heads(): PortResult<readonly ChainHead[]>
  /**
   * Stores `entry` of a key's use from a network, if there is one, and `ifNew` if it is the first use from the network; exactly
   * one of several concurrent uses is the first. Atomic.
   */
  recordUse(use: KeyUse): PortResult<void>
  /** Checks the hash of a block with these events, in the order of their ids, that follows a block with the hash `previous`. */
  checkSeal(previous: string, block: SealedBlock, events: readonly StoredEvent[]): PortResult<SealCheck>
}

import type { Instant } from '../values/instant.js'

/**
 * The person or program of an audit entry: `key <id> (<name>)`, `operator <name>`, or `service` for background work of servers;
 * and the id of the request.
 */
export type Actor = Readonly<{ who: string; requestId?: string | undefined }>

/** The actor if the caller names none, for example a program that embeds the core. */
export const unnamedActor: Actor = { who: 'unnamed' }

/**
 * The kinds of audit events, by their names in the audit log. `unreadable` replaces an entry that was changed in the database
 * before it was sealed: its hash is that of the changed entry.
 */
const auditEvents = [
  'staged',
  'restaged',
  'created',
  'failed',
  'skipped',
  'unskipped',
  'notes_added',
  'transactions_added',
  'statements_added',
  'payment_instruction_added',
  'logged_in',
  'login_failed',
  'refresh_token_reused',
  'new_address',
  'command_begun',
  'command_done',
  'command_refused',
  'staged_data_removed',
  'undone',
  'erased',
  'unreadable',
] as const

export type AuditEvent = (typeof auditEvents)[number]

const known: ReadonlySet<unknown> = new Set(auditEvents)

export const isAuditEvent = (what: unknown): what is AuditEvent => known.has(what)

/** The organisation of an entry that concerns no organisation, or all. */
export const noOrganisation = ''

/** The record of one event. It contains identifiers, codes and hashes, and no other value of a payload. */
export type AuditEntry = Readonly<{
  /** `noOrganisation` for an event that concerns no organisation, or all. */
  organisation: string
  at: Instant
  what: AuditEvent
  by: Actor
  importSupplier?: string | undefined
  externalAccountNumber?: string | undefined
  /** A further subject: a platform account number, the id of a key, the name of a team, a code. */
  subject?: string | undefined
  /** The SHA-256 of the data before and after the event, in hexadecimal; absent if there is no data. */
  before?: string | undefined
  after?: string | undefined
}>

/** An entry in the chain of its organisation: `hash` seals it together with all entries before it. */
export type SealedEntry = Readonly<{ sequence: number; entry: AuditEntry; hash: string }>

/** The hashed parts of an entry: the hash before it, its number, and all its fields. `previous` is empty for the first. */
export const sealedText = (previous: string, sequence: number, entry: AuditEntry): string =>
  JSON.stringify([
    previous,
    entry.organisation,
    sequence,
    entry.at,
    entry.what,
    entry.by.who,
    entry.by.requestId ?? null,
    entry.importSupplier ?? null,
    entry.externalAccountNumber ?? null,
    entry.subject ?? null,
    entry.before ?? null,
    entry.after ?? null,
  ])

/**
 * Merges lists of entries by their times. The order within a list is kept, also if clocks of servers disagree: each entry is
 * sorted by the latest time up to it in its list.
 */
export const inOrderOfTime = (lists: readonly (readonly AuditEntry[])[]): readonly AuditEntry[] =>
  lists
    .flatMap((entries) => {
      let latest = '' as Instant
      return entries.map((entry) => {
        if (entry.at > latest) latest = entry.at
        return { entry, latest }
      })
    })
    .sort((one, other) => (one.latest < other.latest ? -1 : one.latest > other.latest ? 1 : 0))
    .map(({ entry }) => entry)

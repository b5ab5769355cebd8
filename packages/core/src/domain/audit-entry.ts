import type { Instant } from '../values/instant.js'

/**
 * The person or program that does something, as the record names it: `key <id> (<name>)`, `operator <name>`, or `service` for what servers do by
 * themselves; and the request in which it was done.
 */
export type Actor = Readonly<{ who: string; requestId?: string | undefined }>

/** The actor of work that no caller has put a name to, as where the core is embedded. */
export const unnamedActor: Actor = { who: 'unnamed' }

/**
 * The kinds of audit events, by the names that it has there. `unreadable` takes the place of an entry that somebody changed in the
 * database before it was sealed: its hash is that of what was found there.
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

/** The organisation of an entry that concerns none, or all of them. */
export const noOrganisation = ''

/** One thing that was done. It holds identifiers, codes and hashes, and no other value of a payload. */
export type AuditEntry = Readonly<{
  /** `noOrganisation` for what concerns none, or all of them. */
  organisation: string
  at: Instant
  what: AuditEvent
  by: Actor
  importSupplier?: string | undefined
  externalAccountNumber?: string | undefined
  /** Its further subject: a platform account number, the id of a key, the name of a team, a code. */
  subject?: string | undefined
  /** The SHA-256 of what was there before, and of what is there now, in hexadecimal; absent where there is nothing. */
  before?: string | undefined
  after?: string | undefined
}>

/** An entry in its place in the chain of its organisation: `hash` seals it together with all entries before it. */
export type SealedEntry = Readonly<{ sequence: number; entry: AuditEntry; hash: string }>

/** The hashed parts of an entry: the hash before it, its place, and all that it says. `previous` is empty for the first. */
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
 * Lists of entries as one, by their times. Within a list the order stays as it is, also where clocks of servers disagree: an
 * entry goes where the latest before it in its list does.
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

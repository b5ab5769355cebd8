import type { Instant } from '../values/instant.js'

/**
 * The person or program of an audit entry: `key <id> (<name>)`, `operator <name>`, or `service` for background work of servers;
 * and the id of the request.
 */
export type Actor = Readonly<{ who: string; requestId?: string | undefined }>

/** The actor if the caller names none, for example a program that embeds the core. */
export const unnamedActor: Actor = { who: 'unnamed' }

/** The kinds of audit events, by their names in the audit log. */
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
  'logged_out',
  'login_failed',
  'refresh_token_reused',
  'new_address',
  'command_begun',
  'command_done',
  'command_refused',
  'staged_data_removed',
  'undone',
  'erased',
  'failure_dismissed',
] as const

export type AuditEvent = (typeof auditEvents)[number]

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
  /** A further subject: a platform account number, the id of a key, the name of a team, a code, the reason of a dismissal. */
  subject?: string | undefined
  /** The SHA-256 of the data before and after the event, in hexadecimal; absent if there is no data. */
  before?: string | undefined
  after?: string | undefined
}>

/**
 * A stored event. Ids are unique in an organisation, and sort as the times of their events; of one process and one time, in the
 * order of recording.
 */
export type StoredEvent = Readonly<{ id: string; entry: AuditEntry }>

/** An event of the block with this number. */
export type SealedEvent = StoredEvent & Readonly<{ block: number }>

/** An event, with the number of its block once it is sealed. */
export type ListedEvent = StoredEvent & Readonly<{ block?: number }>

/**
 * A block in the chain of its organisation; numbers count from 1. `hash` seals its events, whose count is `events`, together with
 * all blocks before it.
 */
export type SealedBlock = Readonly<{ organisation: string; block: number; events: number; hash: string }>

/**
 * The hashed text of a block: the hash of the block before it (empty for the first), its number, and all fields of its events in
 * the order of their ids.
 */
export const sealedText = (
  previous: string,
  { organisation, block }: Pick<SealedBlock, 'organisation' | 'block'>,
  events: readonly StoredEvent[],
): string =>
  JSON.stringify([
    previous,
    organisation,
    block,
    events.map(({ id, entry }) => [
      id,
      entry.at,
      entry.what,
      entry.by.who,
      entry.by.requestId ?? null,
      entry.importSupplier ?? null,
      entry.externalAccountNumber ?? null,
      entry.subject ?? null,
      entry.before ?? null,
      entry.after ?? null,
    ]),
  ])

/** The parts of a chain that these blocks and these events make, in the order of their numbers. A number that is none is the last. */
export const chainPartsOf = (
  blocks: readonly SealedBlock[],
  events: readonly SealedEvent[],
): readonly Readonly<{
  number: number
  block: SealedBlock | undefined
  events: readonly SealedEvent[]
}>[] => {
  const named = new Map<number, SealedEvent[]>()
  for (const event of events) {
    const own = named.get(event.block)
    if (own === undefined) named.set(event.block, [event])
    else own.push(event)
  }
  const parts = blocks.map((block) => {
    const own = named.get(block.block) ?? []
    named.delete(block.block)
    return { number: block.block, block, events: own }
  })
  const outside = [...named].map(([number, own]) => ({ number, block: undefined, events: own }))
  const isNone = ({ number }: Readonly<{ number: number }>): number => Number(Number.isNaN(number))
  return [...parts, ...outside].toSorted(
    (one, other) => isNone(one) - isNone(other) || one.number - other.number,
  )
}

import {
  type AuditEntry,
  chainPartsOf,
  type SealedBlock,
  type SealedEvent,
  sealedText,
  type StoredEvent,
} from '../domain/audit-entry.js'
import type { AuditFilter, AuditTrail, SealedPlace, Sealing } from '../ports/audit-trail.js'
import { portOf } from '../ports/port-failure.js'
import { compareCodePoints } from '../values/compare.js'
import type { Memory, Table, Tables } from './memory.js'

/** Whether the filter selects the entry. */
const isWanted =
  (filter: AuditFilter) =>
  ({ organisation, importSupplier, externalAccountNumber, at }: AuditEntry): boolean =>
    organisation === filter.organisation &&
    (filter.importSupplier ?? importSupplier) === importSupplier &&
    (filter.externalAccountNumber ?? externalAccountNumber) === externalAccountNumber &&
    (filter.from === undefined || at >= filter.from) &&
    (filter.until === undefined || at < filter.until)

let recorded = 0

/** Adds entries to the unsealed ones. */
export const recordIn = ({ unsealed }: Tables, entries: readonly AuditEntry[]): void => {
  for (const entry of entries) {
    recorded += 1
    const id = `${entry.at} ${String(recorded).padStart(16, '0')}`
    unsealed.set(id, { id, entry })
  }
}

const isAfter = ({ block, id }: SealedEvent, after: SealedPlace): boolean =>
  block > after.block || (block === after.block && after.id !== undefined && id > after.id)

const compareIds = (one: StoredEvent, other: StoredEvent): number => compareCodePoints(one.id, other.id)

const unsealedOf = ({ unsealed }: Tables, wanted: (entry: AuditEntry) => boolean): readonly StoredEvent[] =>
  [...unsealed.rows()].filter(({ entry }) => wanted(entry)).sort(compareIds)

const sealedOf = ({ sealed }: Tables, wanted: (entry: AuditEntry) => boolean): readonly SealedEvent[] =>
  [...sealed.rows()]
    .filter(({ entry }) => wanted(entry))
    .sort((one, other) => one.block - other.block || compareIds(one, other))

const blocksOf = ({ blocks }: Tables, organisation: string): readonly SealedBlock[] =>
  [...blocks.rows()]
    .filter((block) => block.organisation === organisation)
    .sort((one, other) => one.block - other.block)

const organisationsIn = (rows: Table<Readonly<{ organisation: string }>>): readonly string[] =>
  [...new Set([...rows.rows()].map(({ organisation }) => organisation))].sort(compareCodePoints)

/** Seals a block of each organisation. */
const sealIn = async (tables: Tables, limit: number, hash: Memory['hash']): Promise<Sealing> => {
  const organisations = new Set([...tables.unsealed.rows()].map(({ entry }) => entry.organisation))
  let [count, more] = [0, false]
  for (const organisation of organisations) {
    const waiting = unsealedOf(tables, (entry) => entry.organisation === organisation)
    const events = waiting.slice(0, limit)
    const { block: last = 0, hash: previous = '' } = blocksOf(tables, organisation).at(-1) ?? {}
    const block = { organisation, block: last + 1, events: events.length }
    const seal = await hash(sealedText(previous, block, events))
    tables.blocks.set(`${organisation}\u0000${block.block}`, { ...block, hash: seal })
    for (const event of events) {
      tables.sealed.set(`${organisation}\u0000${event.id}`, { ...event, block: block.block })
      tables.unsealed.delete(event.id)
    }
    count += events.length
    more ||= waiting.length > events.length
  }
  return { events: count, more }
}

export const inMemoryAuditTrail = ({ tables, change, exclusive, hash }: Memory): AuditTrail => {
  const networks = new Set<string>()
  return portOf('auditTrail', {
    record: (entries) => change((own) => recordIn(own, entries)),
    seal: (limit) =>
      exclusive(
        (own) => sealIn(own, limit, hash),
        () => true,
      ),
    oldestUnsealed: async () => unsealedOf(tables, () => true)[0]?.entry.at,
    events: async (filter, after, limit) => {
      const sealed = sealedOf(tables, isWanted(filter))
        .filter((event) => after === undefined || isAfter(event, after))
        .slice(0, limit)
      if (sealed.length === limit) return sealed
      return [...sealed, ...unsealedOf(tables, isWanted(filter)).slice(0, limit)]
    },
    // Waits for nothing in between, so it is of one moment.
    chain: async (organisation, after = -Infinity, limit) =>
      chainPartsOf(blocksOf(tables, organisation), sealedOf(tables, isWanted({ organisation })))
        .filter(({ number }) => number > after)
        .slice(0, limit),
    organisations: async () => organisationsIn(tables.blocks),
    heads: async () =>
      organisationsIn(tables.blocks).flatMap((organisation) =>
        blocksOf(tables, organisation)
          .slice(-1)
          .map(({ block, hash: seal }) => ({ organisation, block, hash: seal })),
      ),
    recordUse: ({ apiKeyId, network, entry, ifNew }) =>
      change((own) => {
        const isNew = !networks.has(`${apiKeyId} ${network}`)
        networks.add(`${apiKeyId} ${network}`)
        recordIn(own, [...(entry === undefined ? [] : [entry]), ...(isNew ? [ifNew] : [])])
      }),
    checkSeal: async (previous, block, events) => {
      const isIntact = (await hash(sealedText(previous, block, events))) === block.hash
      return { _tag: isIntact ? 'intact' : 'changed' }
    },
  })
}

import { type AuditEntry, inOrderOfTime, type SealedEntry, sealedText } from '../domain/audit-entry.js'
import { type AuditTrail, type ChainHead, isWanted, type Sealing } from '../ports/audit-trail.js'
import { portOf } from '../ports/port-failure.js'
import { compareCodePoints } from '../values/compare.js'
import type { Memory, Tables } from './memory.js'

/** Appends entries to the unsealed ones. */
export const recordIn = ({ unsealed }: Tables, entries: readonly AuditEntry[]): void => {
  for (const entry of entries) {
    const id = crypto.randomUUID()
    unsealed.set(id, { id, entry })
  }
}

const ofOrganisation = ({ sealed }: Tables, organisation: string): readonly SealedEntry[] =>
  [...sealed.rows()]
    .filter(({ entry }) => entry.organisation === organisation)
    .sort((one, other) => one.sequence - other.sequence)

const headsOf = (tables: Tables): readonly ChainHead[] => {
  const organisations = new Set([...tables.sealed.rows()].map(({ entry }) => entry.organisation))
  return [...organisations].sort(compareCodePoints).flatMap((organisation) => {
    const last = ofOrganisation(tables, organisation).at(-1)
    return last === undefined ? [] : [{ organisation, sequence: last.sequence, hash: last.hash }]
  })
}

/** Seals the oldest entries. Unsealed entries are in order of recording, so that entries of an account keep their order. */
const sealIn = async (tables: Tables, limit: number, hash: Memory['hash']): Promise<Sealing> => {
  const heads = new Map(headsOf(tables).map((head) => [head.organisation, head]))
  const waiting = [...tables.unsealed.rows()]
  const taken = waiting.slice(0, limit)
  for (const entry of inOrderOfTime([taken.map((row) => row.entry)])) {
    const { sequence = 0, hash: before = '' } = heads.get(entry.organisation) ?? {}
    const next = { organisation: entry.organisation, sequence: sequence + 1, hash: '' }
    const sealed = { ...next, hash: await hash(sealedText(before, next.sequence, entry)) }
    heads.set(entry.organisation, sealed)
    tables.sealed.set(`${entry.organisation}\u0000${sealed.sequence}`, {
      sequence: sealed.sequence,
      entry,
      hash: sealed.hash,
    })
  }
  for (const { id } of taken) tables.unsealed.delete(id)
  return { _tag: 'sealed', entries: taken.length, more: waiting.length > taken.length }
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
    sealed: async (filter, after, limit) => {
      const wanted = isWanted(filter)
      return ofOrganisation(tables, filter.organisation)
        .filter(({ sequence, entry }) => sequence > after && wanted(entry))
        .slice(0, limit)
    },
    unsealed: async (filter, limit) =>
      [...tables.unsealed.rows()]
        .map(({ entry }) => entry)
        .filter(isWanted(filter))
        .slice(0, limit),
    heads: async () => headsOf(tables),
    recordUse: ({ apiKeyId, network, entry, ifNew }) =>
      change((own) => {
        const isNew = !networks.has(`${apiKeyId} ${network}`)
        networks.add(`${apiKeyId} ${network}`)
        recordIn(own, [...(entry === undefined ? [] : [entry]), ...(isNew ? [ifNew] : [])])
      }),
    checkSeal: async (previous, { sequence, entry, hash: seal }) => {
      const isIntact = (await hash(sealedText(previous, sequence, entry))) === seal
      return { _tag: isIntact ? 'intact' : 'changed' }
    },
  })
}

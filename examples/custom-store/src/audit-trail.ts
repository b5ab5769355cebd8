import {
  portCall,
  type AuditEntry,
  type AuditTrail,
  type ChainHead,
  type Sealing,
  type SealedEntry,
} from '@account-import/core'
import { compareCodePoints, inOrderOfTime, isWanted, sealedText } from '@account-import/core/adapter-kit'
import { createHash, randomUUID } from 'node:crypto'
import type { Access } from './turns.js'
import type { View } from './view.js'

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Puts entries after those that wait to be sealed. */
export const putEntries = (view: View, entries: readonly AuditEntry[]): void => {
  for (const entry of entries) {
    const id = randomUUID()
    view.insert('unsealed', id, { id, entry })
  }
}

const chainOf = (view: View, organisation: string): readonly SealedEntry[] =>
  view
    .rows('sealed')
    .filter(({ entry }) => entry.organisation === organisation)
    .toSorted((one, other) => one.sequence - other.sequence)

const headsOf = (view: View): readonly ChainHead[] =>
  [...new Set(view.rows('sealed').map(({ entry }) => entry.organisation))]
    .toSorted(compareCodePoints)
    .map((organisation) => {
      const { sequence = 0, hash = '' } = chainOf(view, organisation).at(-1) ?? {}
      return { organisation, sequence, hash }
    })

const seal = (view: View, limit: number): Sealing => {
  const heads = new Map(headsOf(view).map((head) => [head.organisation, head]))
  const waiting = view.rows('unsealed')
  const taken = waiting.slice(0, limit)
  for (const entry of inOrderOfTime([taken.map((row) => row.entry)])) {
    const { organisation } = entry
    const { sequence: last = 0, hash: previous = '' } = heads.get(organisation) ?? {}
    const sequence = last + 1
    const hash = sha256(sealedText(previous, sequence, entry))
    heads.set(organisation, { organisation, sequence, hash })
    view.insert('sealed', JSON.stringify([organisation, sequence]), { sequence, entry, hash })
  }
  for (const { id } of taken) view.put('unsealed', id, null)
  return { _tag: 'sealed', entries: taken.length, more: waiting.length > taken.length }
}

const call = portCall('auditTrail')

export const auditTrail = ({ read, change }: Access): AuditTrail => ({
  record: (entries) => call('record', () => change((view) => putEntries(view, entries))),
  seal: (limit) => call('seal', () => change((view) => seal(view, limit))),
  sealed: (filter, after, limit) =>
    call('sealed', () =>
      read((view) => {
        const wanted = isWanted(filter)
        return chainOf(view, filter.organisation)
          .filter(({ sequence, entry }) => sequence > after && wanted(entry))
          .slice(0, limit)
      }),
    ),
  unsealed: (filter, limit) =>
    call('unsealed', () =>
      read((view) =>
        view
          .rows('unsealed')
          .map(({ entry }) => entry)
          .filter(isWanted(filter))
          .slice(0, limit),
      ),
    ),
  heads: () => call('heads', () => read(headsOf)),
  recordUse: ({ apiKeyId, network, entry, ifNew }) =>
    call('recordUse', () =>
      change((view) => {
        const key = JSON.stringify([apiKeyId, network])
        const isNew = view.get('networks', key) === undefined
        if (isNew) view.put('networks', key, true)
        putEntries(view, [...(entry === undefined ? [] : [entry]), ...(isNew ? [ifNew] : [])])
      }),
    ),
  checkSeal: (previous, { sequence, entry, hash }) =>
    call('checkSeal', async () => ({
      _tag: sha256(sealedText(previous, sequence, entry)) === hash ? 'intact' : 'changed',
    })),
})

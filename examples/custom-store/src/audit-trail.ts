import {
  portCall,
  type AuditEntry,
  type AuditTrail,
  type SealedBlock,
  type Sealing,
  type SealedEvent,
  type StoredEvent,
} from '@account-import/core'
import { compareCodePoints, isWanted, sealedText } from '@account-import/core/adapter-kit'
import { createHash, randomUUID } from 'node:crypto'
import type { Access } from './turns.js'
import type { View } from './view.js'

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

let recorded = 0

/** Puts entries after those that wait to be sealed. Ids sort by time, and then in the order of recording. */
export const putEntries = (view: View, entries: readonly AuditEntry[]): void => {
  for (const entry of entries) {
    recorded += 1
    const id = `${entry.at} ${String(recorded).padStart(12, '0')} ${randomUUID()}`
    view.insert('unsealed', id, { id, entry })
  }
}

const compareIds = (one: StoredEvent, other: StoredEvent): number => compareCodePoints(one.id, other.id)

const waitingIn = (view: View, wanted: (entry: AuditEntry) => boolean): readonly StoredEvent[] =>
  view
    .rows('unsealed')
    .filter(({ entry }) => wanted(entry))
    .toSorted(compareIds)

const sealedIn = (view: View, wanted: (entry: AuditEntry) => boolean): readonly SealedEvent[] =>
  view
    .rows('sealed')
    .filter(({ entry }) => wanted(entry))
    .toSorted((one, other) => one.block - other.block || compareIds(one, other))

const blocksIn = (view: View, organisation: string): readonly SealedBlock[] =>
  view
    .rows('blocks')
    .filter((block) => block.organisation === organisation)
    .toSorted((one, other) => one.block - other.block)

const organisationsIn = (view: View): readonly string[] =>
  [...new Set(view.rows('blocks').map(({ organisation }) => organisation))].toSorted(compareCodePoints)

const seal = (view: View, limit: number): Sealing => {
  const organisations = new Set(view.rows('unsealed').map(({ entry }) => entry.organisation))
  let [count, more] = [0, false]
  for (const organisation of organisations) {
    const waiting = waitingIn(view, (entry) => entry.organisation === organisation)
    const events = waiting.slice(0, limit)
    const { block: last = 0, hash: previous = '' } = blocksIn(view, organisation).at(-1) ?? {}
    const block = { organisation, block: last + 1, events: events.length }
    const hash = sha256(sealedText(previous, block, events))
    view.insert('blocks', JSON.stringify([organisation, block.block]), { ...block, hash })
    for (const event of events) {
      view.insert('sealed', JSON.stringify([organisation, event.id]), { ...event, block: block.block })
      view.put('unsealed', event.id, null)
    }
    count += events.length
    more ||= waiting.length > events.length
  }
  return { _tag: 'sealed', events: count, more }
}

const call = portCall('auditTrail')

export const auditTrail = ({ read, change }: Access): AuditTrail => ({
  record: (entries) => call('record', () => change((view) => putEntries(view, entries))),
  seal: (limit) => call('seal', () => change((view) => seal(view, limit))),
  sealed: (filter, after, limit) =>
    call('sealed', () =>
      read((view) =>
        sealedIn(view, isWanted(filter))
          .filter(
            ({ block, id }) =>
              after === undefined ||
              block > after.block ||
              (block === after.block && after.id !== undefined && id > after.id),
          )
          .slice(0, limit),
      ),
    ),
  unsealed: (filter, limit) =>
    call('unsealed', () => read((view) => waitingIn(view, isWanted(filter)).slice(0, limit))),
  blocks: (organisation, after = -Infinity, limit) =>
    call('blocks', () =>
      read((view) =>
        blocksIn(view, organisation)
          .filter(({ block }) => block > after)
          .slice(0, limit),
      ),
    ),
  organisations: () => call('organisations', () => read(organisationsIn)),
  heads: () =>
    call('heads', () =>
      read((view) =>
        organisationsIn(view).flatMap((organisation) =>
          blocksIn(view, organisation)
            .slice(-1)
            .map(({ block, hash }) => ({ organisation, block, hash })),
        ),
      ),
    ),
  recordUse: ({ apiKeyId, network, entry, ifNew }) =>
    call('recordUse', () =>
      change((view) => {
        const key = JSON.stringify([apiKeyId, network])
        const isNew = view.get('networks', key) === undefined
        if (isNew) view.put('networks', key, true)
        putEntries(view, [...(entry === undefined ? [] : [entry]), ...(isNew ? [ifNew] : [])])
      }),
    ),
  checkSeal: (previous, block, events) =>
    call('checkSeal', async () => ({
      _tag: sha256(sealedText(previous, block, events)) === block.hash ? 'intact' : 'changed',
    })),
})

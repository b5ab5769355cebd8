import type { AuditEntry, ListedEvent, SealedBlock, SealedEvent } from '../domain/audit-entry.js'
import { E } from '../fp.js'
import type { StorePorts } from '../ports/index.js'
import type { PortFailure } from '../ports/port-failure.js'
import { inSequence } from '../lists/lists.js'
import {
  aClaim,
  after,
  aCreation,
  aStaging,
  claimed,
  freshCode,
  freshKey,
  freshNumber,
  sha256,
  start,
} from './builders.js'
import { casesOf, type ContractCase, equal, left, right } from './contract-case.js'

const port = 'AuditTrail'

const by = { who: 'key 0123 (Clave «ñ» 😀)', requestId: 'r-1' }

/** Without undefined fields, which a store may leave out. */
export const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Seals all unsealed entries of all organisations. */
const sealAll = async ({ auditTrail }: StorePorts): Promise<void> => {
  while ((await right(auditTrail.seal(100))).more);
}

/** The entries of an organisation, sealed or not. */
export const entriesOf = async (
  { auditTrail }: StorePorts,
  organisation: string,
): Promise<readonly AuditEntry[]> =>
  (await right(auditTrail.events({ organisation }, undefined, 1000))).map(({ entry }) => entry)

const isSealed = (event: ListedEvent): event is SealedEvent => event.block !== undefined

const eventsOf = async (
  { auditTrail }: StorePorts,
  organisation: string,
): Promise<readonly SealedEvent[]> => {
  const events: SealedEvent[] = []
  for (;;) {
    const page = (await right(auditTrail.events({ organisation }, events.at(-1), 7))).filter(isSealed)
    events.push(...page)
    if (page.length < 7) return events
  }
}

/**
 * The whole chain of an organisation, and its events; checks that the blocks have numbers without gaps, that each seals its events
 * and no other, and that no event is outside of them.
 */
const chainOf = async (
  ports: StorePorts,
  organisation: string,
): Promise<Readonly<{ events: readonly SealedEvent[]; blocks: readonly SealedBlock[] }>> => {
  const { auditTrail } = ports
  const events = await eventsOf(ports, organisation)
  const blocks: SealedBlock[] = []
  for (;;) {
    const page = await right(auditTrail.chain(organisation, blocks.at(-1)?.block, 3))
    for (const { number, block, events: own } of page) {
      if (block === undefined) throw new Error(`no block seals the events of ${number}`)
      equal([number, block.block], [blocks.length + 1, blocks.length + 1])
      equal(own.length, block.events)
      equal(plain(own), plain(events.filter((event) => event.block === number)))
      equal(
        own.map(({ id }) => id),
        own.map(({ id }) => id).toSorted(),
      )
      const previous = blocks.at(-1)?.hash ?? ''
      equal(await right(auditTrail.checkSeal(previous, block, own)), { _tag: 'intact' })
      equal(await right(auditTrail.checkSeal(`${previous}0`, block, own)), { _tag: 'changed' })
      equal(await right(auditTrail.checkSeal(previous, block, own.slice(1))), { _tag: 'changed' })
      blocks.push(block)
    }
    if (page.length === 0) break
  }
  equal(
    blocks.reduce((sum, block) => sum + block.events, 0),
    events.length,
  )
  equal(new Set(events.map(({ id }) => id)).size, events.length)
  return { events, blocks }
}

export const summaryOf = ({ what, by: actor, at, before, after: now, subject }: AuditEntry): unknown =>
  plain({ what, by: actor, at, before, after: now, subject })

const someone = { who: 'key 0123', requestId: 'r-1' }

/** The audit trail: its entries, their sealing, and unsealed entries. */
export const auditCases: readonly ContractCase<StorePorts>[] = [
  ...casesOf<StorePorts>(
    port,
    {
      'each change of an import is recorded with its actor and hashes of the data before and after': async (
        ports,
      ) => {
        const { accountImports } = ports
        const key = await freshKey(ports)
        const [first, second] = ['{"a":1}', '{"a":"ñ 😀"}']
        const [hash, hashAgain] = [await sha256(first), await sha256(second)]
        const stage = (payload: string, second_: number) =>
          right(accountImports.stage([{ ...aStaging(key, payload, after(second_)), by }]))
        await stage(first, 0)
        await stage(second, 1)
        await right(accountImports.claim([aClaim(key, 'token', after(2))]))
        const failure = { code: 'error', at: after(3) }
        await right(accountImports.release([{ key, token: 'token', failure, by }]))
        await right(accountImports.setSkipped(key, true, after(4), by))
        await right(accountImports.setSkipped(key, false, after(5)))
        await right(accountImports.claim([aClaim(key, 'again', after(6))]))
        const number = freshNumber()
        const creation = { ...aCreation(key, after(7)), platformAccountNumber: number, token: 'again', by }
        equal(await right(accountImports.create([creation])), [{ _tag: 'created' }])
        const expected = [
          { what: 'staged', by, at: after(0), after: hash },
          { what: 'restaged', by, at: after(1), before: hash, after: hashAgain },
          { what: 'failed', by, at: after(3), before: hashAgain, subject: 'error' },
          { what: 'skipped', by, at: after(4), before: hashAgain },
          { what: 'unskipped', by: { who: 'unnamed' }, at: after(5), before: hashAgain },
          {
            what: 'created',
            by,
            at: after(7),
            before: hashAgain,
            after: await sha256(number),
            subject: number,
          },
        ]
        equal((await entriesOf(ports, key.organisation)).map(summaryOf), plain(expected))
        await sealAll(ports)
        const { events } = await chainOf(ports, key.organisation)
        equal(
          events.map(({ entry }) => summaryOf(entry)),
          plain(expected),
        )
        for (const { entry } of events) equal({ ...entry, ...key }, entry)
      },
    },
    'alone',
  ),
  ...casesOf<StorePorts>(port, {
    'calls that change nothing are not recorded: refusals, lost claims, releases without a failure': async (
      ports,
    ) => {
      const { accountImports } = ports
      const key = await freshKey(ports)
      const token = await claimed(ports, key)
      await right(accountImports.stage([aStaging(key, '{"b":2}', after(1))]))
      await right(accountImports.setSkipped(key, true, after(1)))
      await right(accountImports.create([{ ...aCreation(key), token: 'no' }]))
      await right(accountImports.release([{ key, token: 'no', failure: { code: 'error', at: start } }]))
      await right(accountImports.release([{ key, token }]))
      await right(accountImports.setSkipped(key, false, after(1)))
      await right(accountImports.create([{ ...aCreation(key, after(1)), validatedUnder: 'rules 2' }]))
      equal((await entriesOf(ports, key.organisation)).length, 1)
    },
    'each of many concurrent stagings is recorded once, with its own actor': async (ports) => {
      const key = await freshKey(ports)
      const numbers = Array.from({ length: 40 }, (_, index) => `n-${index % 20}`)
      const stagings = numbers.map((externalAccountNumber, index) => ({
        ...aStaging({ ...key, externalAccountNumber }, `{"n":${index}}`),
        by: { who: `who ${index}` },
      }))
      await Promise.all(stagings.map((staging) => right(ports.accountImports.stage([staging]))))
      const entries = await entriesOf(ports, key.organisation)
      equal(entries.length, 40)
      equal(new Set(entries.map(({ by: { who } }) => who)).size, 40)
      const counted = (what: string): number => entries.filter((entry) => entry.what === what).length
      equal([counted('staged'), counted('restaged')], [20, 20])
    },
    'a Left rolls back the change and its audit events, a Right commits both': async (ports) => {
      const key = await freshKey(ports)
      const token = await claimed(ports, key)
      const noted: AuditEntry = { ...key, at: after(1), what: 'notes_added', by }
      const work = (answer: 'kept' | 'refused') =>
        ports.unitOfWork.run(key.organisation, ({ accountImports, auditTrail }) =>
          inSequence<'refused' | PortFailure, 'kept'>(
            () => accountImports.create([{ ...aCreation(key), token, by }]),
            () => auditTrail.record([noted, noted]),
            async () => (answer === 'kept' ? E.right(answer) : E.left(answer)),
          ),
        )
      const whats = async () => (await entriesOf(ports, key.organisation)).map(({ what }) => what).sort()
      equal(await left(work('refused')), 'refused')
      equal(await whats(), ['staged'])
      await right(work('kept'))
      equal(await whats(), ['created', 'notes_added', 'notes_added', 'staged'])
    },
  }),
  ...casesOf<StorePorts>(
    port,
    {
      'each organisation has its own chain, which continues at its end, and concurrent sealers seal nothing twice':
        async (ports) => {
          const { auditTrail } = ports
          const keys = [await freshKey(ports), await freshKey(ports)]
          const heads: (readonly (readonly [number, string])[])[] = []
          for (const round of [0, 1, 2]) {
            for (const key of keys) {
              const numbers = Array.from({ length: 30 }, (_, index) => `n-${round}-${index}`)
              await right(
                ports.accountImports.stage(
                  numbers.map((externalAccountNumber) => aStaging({ ...key, externalAccountNumber })),
                ),
              )
              const { organisation } = key
              await right(auditTrail.record([{ organisation, at: after(round), what: 'logged_in', by }]))
            }
            const sealings = await Promise.all(Array.from({ length: 4 }, () => auditTrail.seal(20)))
            for (const sealing of sealings) equal(sealing._tag, 'Right')
            await sealAll(ports)
            const found = await right(auditTrail.heads())
            heads.push(
              keys.map(({ organisation }) => {
                const head = found.find((each) => each.organisation === organisation)
                return [head?.block ?? 0, head?.hash ?? ''] as const
              }),
            )
          }
          for (const [place, { organisation }] of keys.entries()) {
            const { events, blocks } = await chainOf(ports, organisation)
            equal(events.length, 93)
            equal(
              new Set(events.map(({ entry }) => `${entry.what} ${entry.externalAccountNumber} ${entry.at}`))
                .size,
              93,
            )
            for (const head of heads) {
              const [number, hash] = head[place] ?? [0, '']
              equal(blocks[number - 1]?.hash, hash)
            }
            equal(heads.at(-1)?.[place]?.[0], blocks.length)
            equal((await right(auditTrail.organisations())).includes(organisation), true)
          }
        },
      'a block seals at most as many events as the limit, of each organisation the oldest': async (ports) => {
        const { auditTrail } = ports
        const organisations = [freshCode('ORG'), freshCode('ORG')]
        for (const organisation of organisations)
          for (const second of [3, 1, 5, 2, 4])
            await right(auditTrail.record([{ organisation, at: after(second), what: 'logged_in', by }]))
        await sealAll(ports)
        for (const organisation of organisations) {
          for (const second of [9, 7, 8, 6])
            await right(auditTrail.record([{ organisation, at: after(second), what: 'logged_in', by }]))
          equal(await right(auditTrail.seal(3)), { events: 3, more: true })
          equal(await right(auditTrail.seal(3)), { events: 1, more: false })
          equal(await right(auditTrail.seal(3)), { events: 0, more: false })
          const { events, blocks } = await chainOf(ports, organisation)
          equal(
            blocks.map((block) => block.events),
            [5, 3, 1],
          )
          equal(
            events.map(({ entry }) => entry.at),
            [1, 2, 3, 4, 5, 6, 7, 8, 9].map(after),
          )
        }
      },
      'events are selected by organisation, supplier, account and time, sealed or not, and sealed ones page by page':
        async (ports) => {
          const { accountImports, auditTrail } = ports
          const key = await freshKey(ports)
          const { organisation, importSupplier } = key
          const other = { ...key, importSupplier: freshCode('S') }
          for (let index = 0; index < 10; index += 1)
            await right(
              auditTrail.record([
                {
                  ...(index % 3 === 0 ? other : { ...key, externalAccountNumber: `n-${index % 2}` }),
                  at: after(index),
                  what: 'notes_added',
                  by,
                },
              ]),
            )
          for (const index of [10, 11])
            await right(
              accountImports.stage([
                aStaging({ ...key, externalAccountNumber: `n-${index % 2}` }, '{}', after(index)),
              ]),
            )
          const times = Array.from({ length: 12 }, (_, index) => after(index))
          const found = async (filter: object, place?: ListedEvent, limit = 1000) => {
            const sealed = place !== undefined && isSealed(place) ? place : undefined
            const events = await right(auditTrail.events({ organisation, ...filter }, sealed, limit))
            return events.map(({ entry: { at } }) => times.indexOf(at))
          }
          const ofAccount = { importSupplier, externalAccountNumber: 'n-1' }
          for (const isAllSealed of [false, true]) {
            if (isAllSealed) await sealAll(ports)
            equal(await found({}), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
            equal(await found({ importSupplier: other.importSupplier }), [0, 3, 6, 9])
            equal(await found(ofAccount), [1, 5, 7, 11])
            equal(await found({ ...ofAccount, from: after(5), until: after(11) }), [5, 7])
            equal(await found({ from: after(10) }), [10, 11])
            equal(await found({ until: after(1) }), [0])
            equal(await found({ importSupplier }, undefined, 3), [1, 2, 4])
            equal(await found({ organisation: freshCode('ORG') }), [])
          }
          const { events } = await chainOf(ports, organisation)
          equal(await found({}, events[3], 3), [4, 5, 6])
          equal(await found(ofAccount, events[1], 2), [5, 7])
          const last = events.at(-1)?.block ?? 0
          const ofBlock = (block: number) => right(auditTrail.events({ organisation }, { block }, 1000))
          equal((await ofBlock(last - 1)).at(-1), events.at(-1))
          equal(await ofBlock(last), [])
        },
      'events that wait follow the last sealed ones': async (ports) => {
        const { auditTrail } = ports
        const organisation = freshCode('ORG')
        for (const second of [1, 2, 3])
          await right(auditTrail.record([{ organisation, at: after(second), what: 'logged_in', by }]))
        await sealAll(ports)
        await right(auditTrail.record([{ organisation, at: after(4), what: 'logged_in', by }]))
        const page = async (limit: number) =>
          (await right(auditTrail.events({ organisation }, undefined, limit))).map(isSealed)
        equal(await page(3), [true, true, true])
        equal(await page(4), [true, true, true, false])
      },
    },
    'alone',
  ),
  ...casesOf<StorePorts>('AuditTrail', {
    'each use of a key is recorded, and its first use from a network once as such': async (ports) => {
      const organisation = freshCode('ORG')
      const apiKeyId = freshCode('key')
      const use = (network: string, second: number) => {
        const entry = { organisation, at: after(second), by: someone, subject: network } as const
        const entries = {
          entry: { ...entry, what: 'logged_in' },
          ifNew: { ...entry, what: 'new_address' },
        } as const
        return right(ports.auditTrail.recordUse({ apiKeyId, network, ...entries }))
      }
      await Promise.all([use('192.0.2.1', 1), use('192.0.2.1', 2), use('192.0.2.1', 3)])
      await use('2001:db8::/64', 4)
      await use('192.0.2.1', 5)
      const silent = (network: string, second: number) => {
        const ifNew = {
          organisation,
          at: after(second),
          by: someone,
          subject: network,
          what: 'new_address',
        } as const
        return right(ports.auditTrail.recordUse({ apiKeyId, network, entry: undefined, ifNew }))
      }
      await silent('192.0.2.1', 6)
      await silent('198.51.100.1', 7)
      await silent('198.51.100.1', 8)
      const entries = await entriesOf(ports, organisation)
      const of = (what: string, subject: string): number =>
        entries.filter((entry) => entry.what === what && entry.subject === subject).length
      equal([of('logged_in', '192.0.2.1'), of('new_address', '192.0.2.1')], [4, 1])
      equal([of('logged_in', '2001:db8::/64'), of('new_address', '2001:db8::/64')], [1, 1])
      equal([of('logged_in', '198.51.100.1'), of('new_address', '198.51.100.1')], [0, 1])
      equal(entries.length, 8)
    },
  }),
]

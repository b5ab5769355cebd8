import test from 'ava'
import {
  makeUseCases,
  type AuditEntry,
  type ChainBreak,
  type KnownHead,
  type Ports,
  type SealedEntry,
  type UseCases,
} from '@account-import/core'
import { E, TE } from '@account-import/core/adapter-kit'
import { failing } from '@account-import/core/in-memory'
import { by, listed, stage, verified } from './support/record.js'
import { organisation, refusalOf, right, service } from './support/service.js'

/** An organisation with a chain of `count` entries. */
const withChain = async (count = 5): Promise<Readonly<{ ports: Ports; useCases: UseCases }>> => {
  const { ports, useCases } = await service()
  for (let index = 0; index < count; index += 1) await stage(useCases, `N-${index}`)
  await right(useCases.audit.seal(1000))
  return { ports, useCases }
}

/** The use cases over a store whose sealed entries somebody has changed. */
const tampered = (
  ports: Ports,
  change: (entries: readonly SealedEntry[]) => readonly SealedEntry[],
): UseCases => {
  const { auditTrail } = ports
  return makeUseCases({
    ...ports,
    auditTrail: {
      ...auditTrail,
      sealed: (filter, after, limit) => async () => {
        const all = await right(auditTrail.sealed(filter, 0, 1000))
        const changed = filter.organisation === organisation ? change(all) : all
        return E.right(changed.filter(({ sequence }) => sequence > after).slice(0, limit))
      },
    },
  })
}

test('a chain as it was sealed has no break, and holds the heads that it had', async (t) => {
  const { useCases } = await withChain()
  const heads = await right(useCases.audit.heads())
  await stage(useCases, 'LATER')
  await right(useCases.audit.seal(1000))
  const { entries, breaks } = await verified(useCases, heads)
  t.deepEqual(breaks, [])
  t.is(entries, (await listed(useCases)).length)
  t.deepEqual((await verified(useCases, [{ hash: heads.at(-1)?.hash ?? '' }])).breaks, [])
  t.deepEqual((await verified(useCases, heads, organisation)).breaks, [])
})

test('a changed entry, a missing one and a cut tail are found, each where it is', async (t) => {
  const { ports, useCases } = await withChain()
  const heads = await right(useCases.audit.heads())
  const last = heads.find((head) => head.organisation === organisation)?.sequence ?? 0
  const changed = tampered(ports, (entries) =>
    entries.map((each) =>
      each.sequence === 2 ? { ...each, entry: { ...each.entry, by: { who: 'somebody else' } } } : each,
    ),
  )
  t.deepEqual((await verified(changed)).breaks, [{ kind: 'entry_changed', organisation, sequence: 2 }])
  const missing = tampered(ports, (entries) =>
    entries.filter(({ sequence }) => sequence !== 2 && sequence !== 3),
  )
  t.deepEqual((await verified(missing)).breaks, [
    { kind: 'entries_missing', organisation, sequence: 2, entries: 2 },
  ])
  const cut = tampered(ports, (entries) => entries.slice(0, -1))
  t.deepEqual((await verified(cut)).breaks, [], 'nothing shows it but the end that was told')
  const end = heads.find((head) => head.organisation === organisation)
  const gone = { kind: 'head_missing', organisation, sequence: last, hash: end?.hash }
  t.deepEqual((await verified(cut, heads)).breaks, [gone] as unknown as ChainBreak[])
  t.is((await verified(cut, [{ hash: end?.hash ?? '' }])).breaks.length, 1)
  t.is((await verified(cut, [{ ...(end as KnownHead), sequence: 1 }])).breaks.length, 1)
})

test('an entry moved to another organisation, or taken from its place, is found', async (t) => {
  const { ports } = await withChain()
  const swapped = tampered(ports, (entries) =>
    entries.map((each) => {
      const other = entries.find(({ sequence }) => sequence === (each.sequence === 2 ? 3 : 2))
      return each.sequence === 2 || each.sequence === 3
        ? { ...(other as SealedEntry), sequence: each.sequence }
        : each
    }),
  )
  t.true((await verified(swapped)).breaks.length >= 2)
})

test('keys that are missing are told once for each chain, with the first entry that needs them, and hide no change', async (t) => {
  const { ports, useCases } = await withChain()
  const { auditTrail } = ports
  const keys: Readonly<Record<number, string>> = { 2: 'first-key', 3: 'other-key', 4: 'first-key' }
  const keyless = makeUseCases({
    ...ports,
    auditTrail: {
      ...auditTrail,
      checkSeal: (before, sealed) => {
        const key = sealed.entry.organisation === organisation ? keys[sealed.sequence] : undefined
        if (sealed.sequence === 5) return TE.right({ _tag: 'changed' })
        return key === undefined
          ? auditTrail.checkSeal(before, sealed)
          : TE.right({ _tag: 'key_missing', key })
      },
    },
  })
  t.deepEqual((await verified(keyless, [], organisation)).breaks, [
    { kind: 'key_missing', organisation, sequence: 2, key: 'first-key' },
    { kind: 'key_missing', organisation, sequence: 3, key: 'other-key' },
    { kind: 'entry_changed', organisation, sequence: 5 },
  ])
  t.deepEqual((await verified(useCases, [], organisation)).breaks, [])
})

test('entries come by organisation, supplier, account and time; those that wait have no number', async (t) => {
  const { useCases } = await withChain(3)
  await stage(useCases, 'WAITS')
  const of = async (wanted: object) =>
    (await listed(useCases, wanted)).filter(({ entry }) => entry.what === 'staged')
  t.is((await of({})).length, 4)
  t.is((await of({ organisation })).length, 4)
  t.is((await of({ importSupplier: 'LEVANTE' })).length, 4)
  t.is((await of({ organisation: 'NOBODY' })).length, 0)
  const [waiting] = await of({ importSupplier: 'LEVANTE', externalAccountNumber: 'WAITS' })
  t.is(waiting?.sequence, undefined)
  t.is(await refusalOf(useCases.audit.list({ importSupplier: 'NOBODY' })), 'DoesNotExist')
})

test('long chains are read in pages', async (t) => {
  const { ports, useCases } = await service()
  const at = ports.clock.now()
  const entries = Array.from({ length: 1100 }, (): AuditEntry => ({
    organisation,
    at,
    what: 'logged_in',
    by,
  }))
  await right(ports.auditTrail.record(entries))
  for (;;) {
    const sealing = await right(useCases.audit.seal(400))
    if (sealing._tag === 'sealed' && !sealing.more) break
  }
  t.true((await listed(useCases, { organisation })).length > 1100)
  const { entries: seen, breaks } = await verified(useCases, [], organisation)
  t.true(seen > 1100)
  t.deepEqual(breaks, [])
})

test('a store that fails on the way ends lists and verifications with its failure', async (t) => {
  const { ports } = await withChain()
  const lastOf = async (pages: AsyncIterable<E.Either<unknown, unknown>>) => {
    const all = []
    for await (const page of pages) all.push(page._tag)
    return all.at(-1)
  }
  for (const operation of ['sealed', 'unsealed'] as const) {
    const broken = makeUseCases({ ...ports, auditTrail: failing(ports.auditTrail, operation) })
    t.is(await lastOf(await right(broken.audit.list({}))), 'Left')
  }
  for (const operation of ['sealed', 'checkSeal'] as const) {
    const broken = makeUseCases({ ...ports, auditTrail: failing(ports.auditTrail, operation) })
    t.is(await lastOf(await right(broken.audit.verify({ heads: [] }))), 'Left')
  }
})

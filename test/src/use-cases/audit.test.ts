import test from 'ava'
import {
  type AuditEntry,
  type ChainBreak,
  instantOf,
  type KnownHead,
  makeUseCases,
  type Ports,
  type SealedEntry,
  type UseCases,
} from '@account-import/core'
import { E, inOrderOfTime, TE } from '@account-import/core/adapter-kit'
import { failing } from '@account-import/core/in-memory'
import { by, listed, process, stage, verified, whats } from './support/record.js'
import { changed, gasKey, left, organisation, refusalOf, right, sample, service } from './support/service.js'

test('what is done to an account is recorded by whose key it was, in which request', async (t) => {
  const { useCases } = await service()
  const submit = (name: string) => ({ organisation, by, payload: sample(name) })
  await stage(useCases)
  await stage(useCases)
  await process(useCases)
  await right(useCases.addNotes(submit('notes')))
  await right(useCases.addTransactions(submit('transactions')))
  await right(useCases.addHistoricalStatements(submit('historical-statements')))
  const entries = (await listed(useCases, gasKey)).map(({ entry }) => entry)
  t.deepEqual(
    entries.map(({ what }) => what),
    ['staged', 'restaged', 'created', 'notes_added', 'transactions_added', 'statements_added'],
  )
  for (const entry of entries) t.like(entry, { by, ...gasKey })
  t.is(entries[1]?.before, entries[0]?.after)
})

test('a repeated addition is no entry, as it adds nothing', async (t) => {
  const { useCases } = await service()
  await stage(useCases)
  await process(useCases)
  const notes = { organisation, payload: sample('notes') }
  await right(useCases.addNotes(notes))
  await right(useCases.addNotes(notes))
  t.is((await whats(useCases, gasKey)).filter((what) => what === 'notes_added').length, 1)
})

test('no value of a payload gets into the record', async (t) => {
  const { useCases } = await service()
  await stage(useCases)
  await process(useCases)
  await right(useCases.addNotes({ organisation, by, payload: sample('notes') }))
  await right(useCases.operator.showAccount(gasKey))
  const text = JSON.stringify(await listed(useCases))
  const known = new Set([gasKey.externalAccountNumber, gasKey.importSupplier])
  const values: string[] = []
  JSON.stringify([sample('gas-account'), sample('notes')], (_, value: unknown) => {
    if (typeof value === 'string' && value.length > 5 && !known.has(value)) values.push(value)
    return value
  })
  t.true(values.length > 50)
  const recorded = values.filter((value) => text.includes(JSON.stringify(value).slice(1, -1)))
  t.deepEqual(recorded, [])
})

test('logins, networks that logins and renewals never came from before, failed logins and reused refresh tokens are entries of the organisation of the key', async (t) => {
  const { useCases } = await service()
  const { apiKey, record } = await right(useCases.operator.createApiKey({ organisation, name: 'CRM' }))
  const from = (address: string, credentials: Parameters<UseCases['obtainToken']>[0]['credentials']) =>
    useCases.obtainToken({ address, credentials, requestId: 'login-1' })
  const { refreshToken } = await right(from('192.0.2.1', { apiKey }))
  await right(from('192.0.2.1', { apiKey }))
  await right(from('2001:db8::1', { apiKey }))
  const renewed = await right(from('192.0.2.1', { refreshToken }))
  const moved = await right(from('198.51.100.7', { refreshToken: renewed.refreshToken }))
  await right(from('198.51.100.7', { refreshToken: moved.refreshToken }))
  await left(from('192.0.2.9', { refreshToken }))
  const forged = apiKey.replace(/_[^_]+$/, '_forged')
  await left(from('192.0.2.9', { apiKey: forged }))
  const unnamed = await right(useCases.operator.createApiKey({ organisation }))
  await right(from('192.0.2.1', { apiKey: unnamed.apiKey }))
  const entries = (await listed(useCases, { organisation }))
    .map(({ entry }) => entry)
    .filter(({ what }) => !what.startsWith('command'))
    .map(({ what, by: { who, requestId }, subject }) => [what, who, requestId, subject])
    .filter(([what]) => what !== 'login_failed')
  const named = `key ${record.id} (CRM)`
  t.deepEqual(entries, [
    ['logged_in', named, 'login-1', '192.0.2.1'],
    ['new_address', named, 'login-1', '192.0.2.1'],
    ['logged_in', named, 'login-1', '192.0.2.1'],
    ['logged_in', named, 'login-1', '2001:db8:0:0::/64'],
    ['new_address', named, 'login-1', '2001:db8:0:0::/64'],
    ['new_address', named, 'login-1', '198.51.100.7'],
    ['refresh_token_reused', named, 'login-1', '192.0.2.9'],
    ['logged_in', `key ${unnamed.record.id}`, 'login-1', '192.0.2.1'],
    ['new_address', `key ${unnamed.record.id}`, 'login-1', '192.0.2.1'],
  ])
  const failed = (await listed(useCases)).filter(({ entry }) => entry.what === 'login_failed')
  t.is(failed.length, 1)
})

test('nobody logs in where it cannot be recorded, and failures of a flood are not', async (t) => {
  const { ports, useCases } = await service()
  const { apiKey } = await right(useCases.operator.createApiKey({ organisation }))
  const without = (operation: 'record' | 'recordUse') =>
    makeUseCases({ ...ports, auditTrail: failing(ports.auditTrail, operation) })
  const refused = async (operation: 'record' | 'recordUse', key: string) =>
    await refusalOf(without(operation).obtainToken({ address: 'a', credentials: { apiKey: key } }))
  t.is(await refused('recordUse', apiKey), 'PortFailure')
  t.is(await refused('record', 'x'), 'PortFailure')
  const { refreshToken } = await right(useCases.obtainToken({ address: 'a', credentials: { apiKey } }))
  const renewal = { address: 'b', credentials: { refreshToken } }
  t.is(await refusalOf(without('recordUse').obtainToken(renewal)), 'PortFailure')
  await right(useCases.obtainToken(renewal))
  for (let attempt = 0; attempt < 30; attempt += 1)
    await left(useCases.obtainToken({ address: 'flood', credentials: { apiKey: 'guessed' } }))
  const failed = (await listed(useCases)).filter(({ entry }) => entry.subject === 'flood')
  t.is(failed.length, 10)
})

test('entries of several lists stand in the order of their times, and those of one list in its own', (t) => {
  const entry = (second: number, what: 'staged' | 'created') => ({
    organisation,
    at: instantOf(second * 1000),
    what,
    by,
  })
  const timesOf = (...lists: readonly (readonly ReturnType<typeof entry>[])[]) =>
    inOrderOfTime(lists).map(({ at, what }) => `${at.slice(17, 19)} ${what}`)
  t.deepEqual(timesOf([entry(1, 'staged')], [entry(2, 'created')]), ['01 staged', '02 created'])
  t.deepEqual(timesOf([entry(2, 'staged')], [entry(1, 'created')]), ['01 created', '02 staged'])
  t.deepEqual(timesOf([entry(1, 'staged')], [entry(1, 'created')]), ['01 staged', '01 created'])
  t.deepEqual(timesOf([entry(3, 'staged'), entry(1, 'created')], [entry(2, 'staged')]), [
    '02 staged',
    '03 staged',
    '01 created',
  ])
})

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
  return makeUseCases(
    changed(ports, 'auditTrail', {
      sealed: (filter, after, limit) => async () => {
        const all = await right(auditTrail.sealed(filter, 0, 1000))
        const changed = filter.organisation === organisation ? change(all) : all
        return E.right(changed.filter(({ sequence }) => sequence > after).slice(0, limit))
      },
    }),
  )
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
  const keyless = makeUseCases(
    changed(ports, 'auditTrail', {
      checkSeal: (before, sealed) => {
        const key = sealed.entry.organisation === organisation ? keys[sealed.sequence] : undefined
        if (sealed.sequence === 5) return TE.right({ _tag: 'changed' })
        return key === undefined
          ? auditTrail.checkSeal(before, sealed)
          : TE.right({ _tag: 'key_missing', key })
      },
    }),
  )
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

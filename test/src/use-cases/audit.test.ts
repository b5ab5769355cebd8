import test from 'ava'
import type { AuditEntry, ListedEvent, Ports, SealedBlock, SealedEvent, UseCases } from '@account-import/core'
import { chainPartsOf } from '@account-import/core/adapter-kit'
import { E, makeUseCases } from '@account-import/core/fp'
import { failing } from '@account-import/core/in-memory'
import { by, listed, process, stage, verified, auditedActions } from './support/record.js'
import { changed, gasKey, left, organisation, refusalOf, right, sample, service } from './support/service.js'

test('changes of an account are recorded with key and request', async (t) => {
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

test('a repeated addition makes no audit event, as it adds nothing', async (t) => {
  const { useCases } = await service()
  await stage(useCases)
  await process(useCases)
  const notes = { organisation, payload: sample('notes') }
  await right(useCases.addNotes(notes))
  await right(useCases.addNotes(notes))
  t.is((await auditedActions(useCases, gasKey)).filter((what) => what === 'notes_added').length, 1)
})

test('no audit event contains a value of a payload', async (t) => {
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

test('logins, first uses from a network, failed logins and reused refresh tokens are audit events of the organisation of the key', async (t) => {
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

test('a login that cannot be recorded is refused, and failures of a flood are not recorded', async (t) => {
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

/** An organisation with a chain of four blocks, of `size` events each. */
const withChain = async (size = 2): Promise<Readonly<{ ports: Ports; useCases: UseCases }>> => {
  const { ports, useCases } = await service()
  for (let block = 1; block <= 4; block += 1) {
    for (let index = 0; index < size; index += 1) await stage(useCases, `N-${block}-${index}`)
    await right(useCases.audit.seal(1000))
  }
  return { ports, useCases }
}

type Rows = Readonly<{ blocks: readonly SealedBlock[]; events: readonly SealedEvent[] }>

const isSealed = (event: ListedEvent): event is SealedEvent => event.block !== undefined

const rowsOf = async ({ auditTrail }: Ports, of: string): Promise<Rows> => {
  const parts = await right(auditTrail.chain(of, undefined, 1000))
  return {
    blocks: parts.flatMap(({ block }) => block ?? []),
    events: (await right(auditTrail.events({ organisation: of }, undefined, 1000))).filter(isSealed),
  }
}

/** The use cases over a store with changed sealed events and blocks of the organisation. */
const tampered = (ports: Ports, change: (rows: Rows) => Rows): UseCases =>
  makeUseCases(
    changed(ports, 'auditTrail', {
      chain: async (of, after = -Infinity, limit) => {
        const rows = await rowsOf(ports, of)
        const { blocks, events } = of === organisation ? change(rows) : rows
        const parts = chainPartsOf(
          blocks,
          events.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
        )
        return E.right(parts.filter(({ number }) => number > after).slice(0, limit))
      },
    }),
  )

test('an unchanged chain verifies, and contains its earlier heads', async (t) => {
  const { useCases } = await withChain()
  const heads = await right(useCases.audit.heads())
  await stage(useCases, 'LATER')
  await right(useCases.audit.seal(1000))
  const { events, breaks } = await verified(useCases, heads)
  t.deepEqual(breaks, [])
  t.is(events, (await listed(useCases)).length)
  t.deepEqual((await verified(useCases, heads, organisation)).breaks, [])
})

/** Changes the first event of block 2. */
const inEvents =
  (change: (event: SealedEvent) => readonly SealedEvent[]) =>
  ({ blocks, events }: Rows): Rows => {
    const place = events.findIndex(({ block }) => block === 2)
    return { blocks, events: events.flatMap((event, at) => (at === place ? change(event) : [event])) }
  }

/** Changes block 2. */
const inBlocks =
  (change: (block: SealedBlock) => SealedBlock) =>
  ({ blocks, events }: Rows): Rows => ({
    blocks: blocks.map((row) => (row.block === 2 ? change(row) : row)),
    events,
  })

const exchanged = <Row extends Readonly<{ block: number }>>(rows: readonly Row[]): readonly Row[] =>
  rows.map((row) => ({ ...row, block: row.block === 2 ? 3 : row.block === 3 ? 2 : row.block }))

const without =
  (...numbers: readonly number[]) =>
  ({ blocks, events }: Rows): Rows => ({
    blocks: blocks.filter(({ block }) => !numbers.includes(block)),
    events: events.filter(({ block }) => !numbers.includes(block)),
  })

/** Adds two events that claim to be of a block. */
const claiming =
  (block: number) =>
  ({ blocks, events }: Rows): Rows => {
    const added = ['x', 'y'].map((id) => ({ ...(events[0] as SealedEvent), id, block }))
    return { blocks, events: [...events, ...added] }
  }

const withBlock =
  (block: number) =>
  ({ blocks, events }: Rows): Rows => ({
    blocks: [{ ...(blocks[0] as SealedBlock), block }, ...blocks],
    events,
  })

type Tampering = readonly [title: string, change: (rows: Rows) => Rows, breaks: readonly string[]]

const somebodyElse = { who: 'somebody else' }

const tamperings: readonly Tampering[] = [
  [
    'changed event',
    inEvents((event) => [{ ...event, entry: { ...event.entry, by: somebodyElse } }]),
    ['block_changed 2'],
  ],
  ['removed event', inEvents(() => []), ['block_changed 2']],
  ['added event', inEvents((event) => [event, { ...event, id: 'x' }]), ['block_changed 2']],
  ['moved event', inEvents((event) => [{ ...event, block: 3 }]), ['block_changed 2', 'block_changed 3']],
  [
    'exchange of events',
    ({ blocks, events }) => ({ blocks, events: exchanged(events) }),
    ['block_changed 2', 'block_changed 3'],
  ],
  [
    'exchange of blocks',
    ({ blocks, events }) => ({ blocks: exchanged(blocks), events }),
    ['block_changed 2', 'block_changed 3', 'block_changed 4'],
  ],
  ['changed hash', inBlocks((block) => ({ ...block, hash: 'x' })), ['block_changed 2', 'block_changed 3']],
  ['changed count', inBlocks((block) => ({ ...block, events: 1 })), ['block_changed 2']],
  ['removal of blocks', without(2, 3), ['block_missing 2']],
  [
    'removal of a block without its events',
    ({ blocks, events }) => ({ ...without(2)({ blocks, events }), events }),
    ['outside_chain 2', 'block_missing 2'],
  ],
  ['cut of the end', without(4), ['head_missing 4']],
  ...[-5, 0, 99, 1.5].map((block): Tampering => [
    `event in a block ${block}`,
    claiming(block),
    [`outside_chain ${block}`],
  ]),
  ...[-5, 0].map((block): Tampering => [
    `block with the number ${block}`,
    withBlock(block),
    [`outside_chain ${block}`],
  ]),
]

for (const [title, change, breaks] of tamperings)
  test(`verify finds by the chain and its head: ${title}`, async (t) => {
    const { ports, useCases } = await withChain()
    const heads = await right(useCases.audit.heads())
    const found = await verified(tampered(ports, change), heads, organisation)
    t.deepEqual(
      found.breaks.map(({ kind, block }) => `${kind} ${block}`),
      breaks,
    )
  })

test('missing keys are reported once for each chain with the first block that needs them, and hide no change', async (t) => {
  const { ports, useCases } = await withChain()
  const { auditTrail } = ports
  const keys: Readonly<Record<number, string>> = { 1: 'first-key', 2: 'other-key', 3: 'first-key' }
  const keyless = makeUseCases(
    changed(ports, 'auditTrail', {
      checkSeal: async (before, sealed, events) => {
        const key = sealed.organisation === organisation ? keys[sealed.block] : undefined
        if (sealed.block === 4) return E.right({ _tag: 'changed' })
        return key === undefined
          ? auditTrail.checkSeal(before, sealed, events)
          : E.right({ _tag: 'key_missing', key })
      },
    }),
  )
  t.deepEqual((await verified(keyless, [], organisation)).breaks, [
    { kind: 'key_missing', organisation, block: 1, about: 'first-key' },
    { kind: 'key_missing', organisation, block: 2, about: 'other-key' },
    { kind: 'block_changed', organisation, block: 4 },
  ])
  t.deepEqual((await verified(useCases, [], organisation)).breaks, [])
})

test('audit events are listed by organisation, supplier, account and time, and unsealed ones have no block', async (t) => {
  const { useCases } = await withChain(1)
  await stage(useCases, 'WAITS')
  const of = async (wanted: object) =>
    (await listed(useCases, wanted)).filter(({ entry }) => entry.what === 'staged')
  t.is((await of({})).length, 5)
  t.is((await of({ organisation })).length, 5)
  t.is((await of({ importSupplier: 'LEVANTE' })).length, 5)
  t.is((await of({ organisation: 'NOBODY' })).length, 0)
  const [waiting] = await of({ importSupplier: 'LEVANTE', externalAccountNumber: 'WAITS' })
  t.is(waiting?.block, undefined)
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
  while ((await right(useCases.audit.seal(400))).more);
  t.true((await listed(useCases, { organisation })).length > 1100)
  const { events: seen, breaks } = await verified(useCases, [], organisation)
  t.true(seen > 1100)
  t.deepEqual(breaks, [])
})

test('a store that fails during a list or verification ends it with its failure', async (t) => {
  const { ports } = await withChain()
  const lastOf = async (pages: AsyncIterable<E.Either<unknown, unknown>>) => {
    const all = []
    for await (const page of pages) all.push(page._tag)
    return all.at(-1)
  }
  const unlisted = makeUseCases({ ...ports, auditTrail: failing(ports.auditTrail, 'events') })
  t.is(await lastOf(await right(unlisted.audit.list({}))), 'Left')
  for (const operation of ['chain', 'checkSeal'] as const) {
    const broken = makeUseCases({ ...ports, auditTrail: failing(ports.auditTrail, operation) })
    await t.throwsAsync(verified(broken), { any: true }, operation)
  }
})

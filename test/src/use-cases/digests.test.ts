import { E, makeUseCases, pipe } from '@account-import/core/fp'
import { inMemoryStorePorts, failing } from '@account-import/core/in-memory'
import test from 'ava'
import {
  changed,
  gasKey,
  keyOf,
  left,
  organisation,
  processing,
  right,
  sample,
  service,
  staging,
} from './support/service.js'

const request = { organisation, importSupplier: 'LEVANTE', after: undefined, limit: 2 }

const note = { body: 'without a time' }

/** The gas account, created, with a note without a time and a debt. */
const begun = async (stores = inMemoryStorePorts()) => {
  const made = await service(stores)
  const [ledger, ...ledgers] = sample('gas-account')['ledgers'] as readonly object[]
  const metadata = [{ key: 'empty', value: {} }]
  const fields = { notes: [note], metadata, ledgers: [{ ...ledger, ledger_balance: -12.5 }, ...ledgers] }
  await right(staging(made.useCases, fields))
  await right(processing(made.useCases))
  return { ...made, fields }
}

test('digests of created and staged accounts are returned page by page, with their figures', async (t) => {
  const { useCases } = await begun()
  for (const number of ['A', 'Z']) await right(staging(useCases, { external_account_number: number }))
  const first = await right(useCases.accountDigests(request))
  t.deepEqual(
    first.items.map(({ externalAccountNumber, state }) => [externalAccountNumber, state]),
    [
      ['A', 'staged'],
      ['LEV-G-000123', 'created'],
    ],
  )
  t.like(first.items[1]?.figures.balances, { SPAIN_GAS_LEDGER: { count: 1, sum: '-12.50' } })
  t.is(first.next, 'LEV-G-000123')
  const last = await right(useCases.accountDigests({ ...request, after: first.next }))
  t.deepEqual([last.items.length, last.next], [1, undefined])
  const whole = await right(useCases.accountDigests({ ...request, limit: 3 }))
  t.deepEqual([whole.items.length, whole.next], [3, undefined])
  t.true(whole.items.every(({ digest }) => /^[0-9a-f]{32}$/.test(digest)))
})

test('digests do not depend on the order of keys, and names such as __proto__ count as any other', async (t) => {
  const digestsOf = async (value: string) => {
    const { useCases } = await service()
    const metadata = [{ key: 'free', value: JSON.parse(value) as object }]
    await right(staging(useCases, { metadata }))
    const { items } = await right(useCases.accountDigests(request))
    return items.map(({ digest }) => digest)
  }
  const text = '{"b":1,"a":{"y":[1,{"d":1,"c":2}],"x":2},"__proto__":{"e":1}}'
  const ordered = '{"__proto__":{"e":1},"a":{"x":2,"y":[1,{"c":2,"d":1}]},"b":1}'
  t.deepEqual(await digestsOf(text), await digestsOf(ordered))
  t.notDeepEqual(await digestsOf(text), await digestsOf(text.replace('"e":1', '"e":2')))
  t.notDeepEqual(
    await digestsOf(text),
    await digestsOf(text.replace('[1,{"d":1,"c":2}]', '[{"d":1,"c":2},1]')),
  )
})

test('a staged account and the account that is created from it have one digest, value by value', async (t) => {
  const { useCases, fields, clock } = await begun()
  const created = await right(useCases.fieldDigests(gasKey))
  const other = await service()
  clock.pass(10)
  await right(staging(other.useCases, fields))
  const staged = await right(other.useCases.fieldDigests(gasKey))
  t.deepEqual([created.state, staged.state], ['created', 'staged'])
  t.deepEqual(created.fields, staged.fields)
  const [one] = (await right(useCases.accountDigests(request))).items
  const [two] = (await right(other.useCases.accountDigests(request))).items
  t.is(one?.digest, two?.digest)
})

test('digests of an unknown supplier or account are refused, and fail with the store', async (t) => {
  const { useCases } = await begun()
  const of = async (answer: Parameters<typeof left>[0]) => ((await left(answer)) as { _tag: string })._tag
  t.is(await of(useCases.accountDigests({ ...request, importSupplier: 'NOBODY' })), 'SupplierNotFound')
  t.is(await of(useCases.fieldDigests({ ...gasKey, importSupplier: 'NOBODY' })), 'SupplierNotFound')
  t.is(await of(useCases.fieldDigests(keyOf('NOBODY'))), 'AccountImportNotFound')
  const stores = inMemoryStorePorts()
  const accounts = await service({ ...stores, accounts: failing(stores.accounts, 'find') })
  t.is(await of(accounts.useCases.fieldDigests(gasKey)), 'PortFailure')
  const accountImports = failing(stores.accountImports, 'staged')
  const imports = await service({ ...inMemoryStorePorts(), accountImports })
  t.is(await of(imports.useCases.fieldDigests(gasKey)), 'PortFailure')
})

test('digests of damaged staged data fail as the store, unexpectedly, and name no value of it', async (t) => {
  const { ports, useCases } = await service()
  await right(staging(useCases))
  for (const payload of ['{"external_account_number":"LEV', 'null', '{"ledgers":"many"}']) {
    const damaged = makeUseCases(
      changed(ports, 'accountImports', {
        staged: async () => E.right([{ version: 1, payload }]),
        stagedPayloads: async (asked) =>
          pipe(
            await ports.accountImports.stagedPayloads(asked),
            E.map((page) => ({ ...page, items: page.items.map((each) => ({ ...each, payload })) })),
          ),
      }),
    )
    for (const failed of [
      await left(damaged.accountDigests(request)),
      await left(damaged.fieldDigests(gasKey)),
    ]) {
      t.like(failed, { _tag: 'PortFailure', kind: 'unexpected', port: 'accountImports' })
      t.like(failed, { cause: { message: 'staged data is no account' } })
    }
  }
})

test('a page of digests ends with its page of staged or created accounts, and misses and repeats none', async (t) => {
  const { useCases } = await service()
  const metadata = Array.from({ length: 12 }, (_, index) => ({
    key: `k${index}`,
    value: { text: 'x'.repeat(64_000) },
  }))
  const numbers = Array.from({ length: 12 }, (_, index) => `N-${String(index).padStart(2, '0')}`)
  for (const [index, number] of numbers.entries()) {
    await right(staging(useCases, { external_account_number: number, metadata }))
    if (index % 3 === 0) await right(processing(useCases, { external_account_number: number }))
  }
  const pages: (readonly string[])[] = []
  for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const { items, next } = await right(useCases.accountDigests({ ...request, after, limit: 10 }))
    pages.push(items.map(({ externalAccountNumber }) => externalAccountNumber))
    after = next
  }
  t.deepEqual(pages.flat(), numbers)
  t.true(pages.every(({ length }) => length > 0 && length <= 5))
})

import test from 'ava'
import {
  type AccountKey,
  createImportService,
  type ImportService,
  type ServiceResult,
  type UseCases,
} from '@account-import/core'
import { type Either, makeUseCases } from '@account-import/core/fp'
import { failing } from '@account-import/core/in-memory'
import { type NamesOf, serviceCalls } from './support/service-calls.js'
import { serviceFixture, valueOf, withBrokenPorts } from './support/service-fixture.js'
import {
  claimElsewhere,
  gasKey,
  keyOf,
  numbered,
  organisation,
  processing,
  refusalOf,
  right,
  service,
  withStaged,
} from './support/service.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type RefusalsOf<Part> = {
  [Name in keyof Part]: Part[Name] extends (...given: never[]) => Promise<Either<infer Refusal, unknown>>
    ? Refusal
    : Part[Name] extends (...given: never[]) => Promise<ServiceResult<infer Refusal, unknown>>
      ? Refusal
      : Part[Name] extends object
        ? RefusalsOf<Part[Name]>
        : never
}

const namesIn = (part: object, above = ''): readonly string[] =>
  Object.entries(part).flatMap(([name, inner]: [string, unknown]) => {
    if (typeof inner === 'function') return [`${above}${name}`]
    return typeof inner === 'object' && inner !== null ? namesIn(inner, `${above}${name}.`) : []
  })

const itemsIn = async <Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> => {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

test('every use case is a plain function, with its own refusals in its type', async (t) => {
  const { imports } = await serviceFixture()
  const { useCases, ...service } = imports
  t.deepEqual(namesIn(service), namesIn(useCases))
  t.deepEqual(namesIn(service).toSorted(), Object.keys(serviceCalls).toSorted())
  const sameNames: Equal<NamesOf<Omit<ImportService, 'useCases'>>, NamesOf<UseCases>> = true
  const sameRefusals: Equal<RefusalsOf<Omit<ImportService, 'useCases'>>, RefusalsOf<UseCases>> = true
  t.true(sameNames && sameRefusals)
})

test('the failure of a port is a value, and no unhandled rejection', async (t) => {
  const calls = Object.values(serviceCalls).map(async ({ given, succeeds }) => {
    const fixture = await serviceFixture()
    await given?.(fixture)
    // AVA fails a test whose promises reject unseen.
    void succeeds(withBrokenPorts(fixture))
  })
  await t.notThrowsAsync(Promise.all(calls))
})

test('a use case runs when it is called, and once for any number of awaits of its promise', async (t) => {
  const { imports } = await serviceFixture()
  const created = imports.operator.createTeam('X')
  t.deepEqual([await created, await created], [await created, { ok: true, value: { name: 'X' } }])
  t.true(valueOf(await imports.operator.listTeams()).some(({ name }) => name === 'X'))
  // @ts-expect-error there is no second call that could be forgotten
  const calledAgain = (): unknown => imports.operator.createTeam('Y')()
  t.is(typeof calledAgain, 'function')
})

/** The ports of a service with this number of staged accounts. */
const withMany = async (count: number) => (await withStaged(numbered(count))).ports
const list = { organisation, importSupplier: 'LEVANTE', list: 'all' as const }

for (const count of [1000, 1500])
  test(`a list of ${count}, ending with a whole page or a short one, is iterated item by item`, async (t) => {
    const imports = createImportService(await withMany(count))
    const items = await itemsIn(valueOf(await imports.allAccountImports(list)))
    t.deepEqual([items.length, items[999]?.externalAccountNumber], [count, 'N-0999'])
  })

test('a list whose store fails later throws an Error with the failure as its cause', async (t) => {
  const ports = await withMany(1500)
  const accountImports = failing(ports.accountImports, 'page', { nth: 2 })
  const broken = { ...ports, accountImports }
  const items = valueOf(await createImportService(broken).allAccountImports(list))
  const error = await t.throwsAsync(itemsIn(items), { message: 'failing.page failed' })
  t.like(error?.cause, { _tag: 'PortFailure', kind: 'unavailable' })
})

test('an exception of a store during a list is thrown unchanged', async (t) => {
  const ports = await withMany(1000)
  const { accountImports } = ports
  const fault = new RangeError('a fault')
  const page: typeof accountImports.page = (request) =>
    request.after === undefined ? accountImports.page(request) : Promise.reject(fault)
  const broken = { ...ports, accountImports: { ...accountImports, page } }
  t.is(
    await t.throwsAsync(itemsIn(valueOf(await createImportService(broken).allAccountImports(list)))),
    fault,
  )
})

test('a page of a list has a cursor only when there are more', async (t) => {
  const useCases = makeUseCases(await withMany(3))
  const page = async (after: string | undefined, limit: number) => {
    const { items, next } = await right(useCases.accountImportsPage({ ...list, after, limit }))
    return [items.map(({ externalAccountNumber }) => externalAccountNumber), next]
  }
  t.deepEqual(await page(undefined, 2), [['N-0000', 'N-0001'], 'N-0001'])
  t.deepEqual(await page('N-0001', 2), [['N-0002'], undefined])
  t.deepEqual(await page(undefined, 3), [['N-0000', 'N-0001', 'N-0002'], undefined])
  t.deepEqual(await page('N-0002', 2), [[], undefined])
})

test('the summary counts each import in one state, and failed staged ones by code, the most frequent first', async (t) => {
  const failures = ['d', 'c', 'a', 'c', 'b', 'b']
  const failed = numbered(failures.length)
  const { clock, ports, useCases } = await withStaged([...failed, 'FINE', 'SKIPPED', 'TAKEN'])
  const fail = async (key: AccountKey, code: string) => {
    await claimElsewhere(ports, key)
    const failure = { code, at: clock.now() }
    await right(ports.accountImports.release([{ key, token: 'theirs', failure }]))
  }
  const skip = (number: string, skipped: boolean) =>
    right(ports.accountImports.setSkipped(keyOf(number), skipped, clock.now()))
  for (const [index, code] of failures.entries()) await fail(keyOf(failed[index] ?? ''), code)
  for (const number of ['SKIPPED', 'TAKEN']) await fail(keyOf(number), 'a')
  for (const number of ['SKIPPED', 'NEVER STAGED', 'FORGOTTEN']) await skip(number, true)
  await skip('FORGOTTEN', false)
  await claimElsewhere(ports, keyOf('TAKEN'))
  await right(processing(useCases, { external_account_number: 'FINE' }))
  const counts = async () => {
    const { errors, ...states } = await right(useCases.accountImportSummary(list))
    return { ...states, errors: errors.map(({ code, count }) => `${code} ${count}`).join() }
  }
  const others = { created: 1, skipped: 2 }
  clock.pass(9)
  t.deepEqual(await counts(), { ...others, staged: 6, inProgress: 1, failed: 6, errors: 'b 2,c 2,a 1,d 1' })
  clock.pass(1)
  t.deepEqual(await counts(), { ...others, staged: 7, inProgress: 0, failed: 7, errors: 'a 2,b 2,c 2,d 1' })
})

test('lists and the summary of a supplier that does not exist are refused', async (t) => {
  const { useCases } = await service()
  const elsewhere = { ...list, importSupplier: 'NOBODY' }
  t.is(await refusalOf(useCases.accountImportSummary(elsewhere)), 'SupplierNotFound')
  t.is(await refusalOf(useCases.allAccountImports(elsewhere)), 'SupplierNotFound')
  t.is(
    await refusalOf(useCases.accountImportsPage({ ...elsewhere, after: undefined, limit: 10 })),
    'SupplierNotFound',
  )
})

test('e-mails are listed one by one, and a later failure is thrown', async (t) => {
  const { imports, ports } = await serviceFixture()
  const every = { importSupplier: undefined, list: undefined }
  const emails = await itemsIn(valueOf(await imports.operator.listEmails(every)))
  const keys = emails.map(({ key }) => key)
  t.deepEqual(keys, [gasKey])
  const outbox = failing(ports.outbox, 'page')
  const broken = createImportService({ ...ports, outbox })
  const listed = valueOf(await broken.operator.listEmails(every))
  const error = await t.throwsAsync(itemsIn(listed), { message: 'failing.page failed' })
  t.like(error?.cause, { _tag: 'PortFailure' })
})

test('missing documents are returned page by page, with the number of documents', async (t) => {
  const { imports } = await serviceFixture()
  const [page] = await itemsIn(valueOf(await imports.operator.missingDocuments('LEVANTE')))
  t.is(page?.accounts, 1)
  t.is(page?.missing.length, page?.references)
})

test('a callback that throws rejects the promise, and does not throw from the call', async (t) => {
  const { imports } = await serviceFixture()
  const fault = new Error('a fault')
  const change = (): never => {
    throw fault
  }
  const answer = imports.operator.configureSupplier({ code: 'LEVANTE', change })
  t.is(await t.throwsAsync(answer), fault)
})

test('a recorded command that is refused returns its refusal', async (t) => {
  const { imports } = await serviceFixture()
  const refusal = { _tag: 'NotDone' } as const
  t.deepEqual(await imports.audit.recorded('rewrapDataKeys', async () => ({ ok: false, refusal })), {
    ok: false,
    refusal,
  })
})

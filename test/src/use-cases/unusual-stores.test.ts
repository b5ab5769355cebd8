import {
  type AccountImports,
  type ChainPart,
  instantOf,
  portFailure,
  type Ports,
  type StagedData,
  type UnreadableData,
} from '@account-import/core'
import { E, makeUseCases } from '@account-import/core/fp'
import { undoneAt } from '@account-import/core/testing'
import { setTimeout } from 'node:timers/promises'
import test from 'ava'
import { stage } from './support/record.js'
import {
  changed,
  configuring,
  gasKey,
  keyOf,
  leastText,
  numbered,
  organisation,
  processGas,
  processing,
  refusalOf,
  right,
  service,
  settableClock,
  staging,
  withStaged,
} from './support/service.js'

/** The same ports, of which the store of imports does something else, in units of work too. */
const withImports = (ports: Ports, change: (inner: AccountImports) => Partial<AccountImports>): Ports => {
  const changedStore = <Store extends AccountImports>(inner: Store): Store => ({ ...inner, ...change(inner) })
  return {
    ...ports,
    accountImports: changedStore(ports.accountImports),
    unitOfWork: {
      run: (organisation, work) =>
        ports.unitOfWork.run(organisation, (stores) =>
          work({
            ...stores,
            accountImports: { ...stores.accountImports, ...change(stores.accountImports as AccountImports) },
          }),
        ),
    },
  }
}

/** A store that knows no data as valid, and reads the text of one account at a time, as if all were long. */
const ofLongTexts = (inner: AccountImports): Pick<AccountImports, 'create' | 'staged'> => ({
  create: (creations) =>
    inner.create(
      creations.map((creation) =>
        creation.version === undefined ? { ...creation, validatedUnder: undefined } : creation,
      ),
    ),
  staged: (keys) => inner.staged(keys.slice(0, 1)),
})

const { external_account_number: _number, ...processAll } = processGas

for (const [how, settings] of [
  ['by single changes', {}],
  ['in units of work, where an e-mail needs them,', { migrationEmails: true }],
] as const)
  test(`accounts whose texts are read one by one are created ${how} in the order of the request`, async (t) => {
    const numbers = numbered(20)
    const { ports, useCases } = await withStaged(numbers)
    await right(configuring(useCases, settings))
    const long = makeUseCases(withImports(ports, ofLongTexts))
    for (const dry_run of [true, false]) {
      const results: (readonly [string | undefined, string])[] = []
      const payload = { ...processAll, dry_run }
      for await (const page of await right(long.bulkProcess({ organisation, payload })))
        for (const { externalAccountNumber, outcome } of page)
          results.push([externalAccountNumber, E.isLeft(outcome) ? outcome.left._tag : 'created'])
      t.deepEqual(
        results,
        numbers.map((number) => [number, dry_run ? 'DryRunSucceeded' : 'created']),
      )
    }
    for (const number of numbers) t.not(await right(ports.accounts.find(keyOf(number))), undefined)
  })

test('data that cannot be read, or was removed meanwhile, creates no account', async (t) => {
  for (const staged of [
    E.left(portFailure('unavailable', 'accountImports', 'staged', undefined)),
    E.right([undefined]),
    E.right([{ failure: portFailure('unexpected', 'accountImports', 'staged', undefined) }]),
  ]) {
    const { ports, useCases } = await service()
    await stage(useCases)
    const broken = withImports(ports, (inner) => ({ ...ofLongTexts(inner), staged: async () => staged }))
    await refusalOf(processing(makeUseCases(broken)))
    await refusalOf(makeUseCases(broken).fieldDigests(gasKey))
    t.is(await right(ports.accounts.find(gasKey)), undefined)
  }
})

test('much data is judged after other requests had a turn, and becomes an account', async (t) => {
  const { ports, useCases } = await service()
  await stage(useCases)
  let turns = 0
  const long = withImports(ports, (inner) => ({
    ...ofLongTexts(inner),
    staged: async (keys) => {
      setImmediate(() => (turns += 1))
      return E.map((found: readonly (StagedData | UnreadableData | undefined)[]) =>
        found.map((data) =>
          data?.payload === undefined ? data : { ...data, payload: data.payload + ' '.repeat(200_000) },
        ),
      )(await inner.staged(keys))
    },
  }))
  await right(processing(makeUseCases(long)))
  t.is(turns, 1)
  t.not(await right(ports.accounts.find(gasKey)), undefined)
})

test('data that changes while it is judged becomes an account in a unit of work, and data that cannot be read none', async (t) => {
  const { ports } = await withStaged(['A', 'B', 'C'])
  const { accountImports } = ports
  const failure = portFailure('unexpected', 'accountImports', 'staged', undefined)
  let units = 0
  const useCases = makeUseCases({
    ...ports,
    accountImports: {
      ...accountImports,
      create: async (creations) => {
        for (const { key, version } of creations)
          if (key.externalAccountNumber === 'A' && version !== undefined)
            await right(accountImports.stage([{ key, payload: leastText('A'), at: ports.clock.now() }]))
        return accountImports.create(creations)
      },
      staged: async (keys) =>
        E.map((found: readonly (StagedData | UnreadableData | undefined)[]) =>
          found.map((data, index) => (keys[index]?.externalAccountNumber === 'B' ? { failure } : data)),
        )(await accountImports.staged(keys)),
    },
    unitOfWork: {
      run: (organisation, work) => {
        units += 1
        return ports.unitOfWork.run(organisation, work)
      },
    },
  })
  const answers: string[] = []
  for await (const page of await right(useCases.bulkProcess({ organisation, payload: processAll })))
    for (const { outcome } of page) answers.push(E.isLeft(outcome) ? outcome.left._tag : 'created')
  t.deepEqual(answers, ['created', 'PortFailure', 'created'])
  t.is(units, 1)
})

test('texts are read for eight lists of accounts at one time at most', async (t) => {
  const numbers = numbered(40)
  const { ports } = await withStaged(numbers)
  let [now, most] = [0, 0]
  const useCases = makeUseCases(
    withImports(ports, (inner) => ({
      ...ofLongTexts(inner),
      staged: async (keys) => {
        now += 1
        most = Math.max(most, now)
        await setTimeout(5)
        now -= 1
        return inner.staged(keys)
      },
    })),
  )
  const answers = await Promise.all(
    numbers.map((external_account_number) => processing(useCases, { external_account_number })),
  )
  t.true(answers.every(E.isRight))
  t.is(most, 8)
})

test('an exception of a platform in a unit of work is a failure of the port', async (t) => {
  const { ports, useCases } = await service()
  await right(configuring(useCases, { migrationEmails: true }))
  await stage(useCases)
  const broken = makeUseCases({
    ...ports,
    unitOfWork: {
      run: () => {
        throw new Error('a fault of the platform')
      },
    },
  })
  t.is(await refusalOf(processing(broken)), 'PortFailure')
})

test('an account above the limit of the store is refused with the limit', async (t) => {
  const { ports } = await service()
  const full = withImports(ports, () => ({
    stage: async (stagings) =>
      E.right(stagings.map(() => ({ _tag: 'too_large', limitBytes: 1000 }) as const)),
  }))
  t.is(await refusalOf(staging(makeUseCases(full))), 'PayloadTooLarge')
})

test('a claim of an account without staged data is refused', async (t) => {
  const { ports } = await service()
  const settings = { ...ports.settings, processingConcurrencyLimit: 1 }
  t.is(await refusalOf(processing(makeUseCases({ ...ports, settings }))), 'NothingStaged')
})

test('a token of the pages is refused by the API and ends after 12 hours by the wall clock', async (t) => {
  const clock = settableClock()
  const wall = instantOf(0)
  const made = await service({ clock: { ...clock, wall: () => wall } })
  const { apiKey } = await right(made.useCases.operator.createApiKey({ organisation }))
  const tokens = await right(
    made.useCases.obtainToken({ credentials: { apiKey }, address: '192.0.2.1', use: 'pages' }),
  )
  t.is(tokens.expiresAt, instantOf(12 * 3_600_000))
  const early = makeUseCases({ ...made.ports, clock: { now: () => wall } })
  t.is(await refusalOf(early.authenticate(tokens.token)), 'AuthenticationFailed')
  t.deepEqual((await right(early.authenticate(tokens.token, 'pages'))).scopes, [
    'validate',
    'stage',
    'process',
    'post-import',
    'read',
  ])
})

test('the time of the latest undo of a run never decreases', async (t) => {
  const { useCases } = await service()
  const run = await right(useCases.openImportRun({ organisation, payload: { import_supplier: 'LEVANTE' } }))
  const [first, second] = [instantOf(2000), instantOf(1000)]
  t.is(undoneAt(undoneAt(run, 1, first, 'a'), 1, second, 'b').undone?.latestAt, first)
})

test('an exception that is not a port failure ends verification of the audit log', async (t) => {
  const { ports } = await service()
  const broken = changed(ports, 'auditTrail', {
    chain: () => {
      throw new Error('a fault of the program')
    },
  })
  const read = async () => {
    for await (const page of await right(makeUseCases(broken).audit.verify({ heads: [], organisation })))
      void page
  }
  await t.throwsAsync(read, { message: 'a fault of the program' })
})

test('verification reads further pages of blocks', async (t) => {
  const { ports, useCases } = await service()
  await stage(useCases)
  await right(useCases.audit.seal(10))
  const asked: (number | undefined)[] = []
  const long = changed(ports, 'auditTrail', {
    chain: async (wanted, after, limit) => {
      asked.push(after)
      if (after !== undefined) return E.right([])
      return E.map((parts: readonly ChainPart[]) => parts.flatMap((part) => [part, part]))(
        await ports.auditTrail.chain(wanted, after, limit),
      )
    },
  })
  let breaks = 0
  for await (const page of await right(makeUseCases(long).audit.verify({ heads: [], organisation })))
    breaks += page.breaks.length
  t.deepEqual(asked, [undefined, 1])
  t.true(breaks > 0)
})

import {
  type AccountImports,
  type ChainPart,
  type CreationOutcome,
  instantOf,
  portFailure,
  type Ports,
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
  organisation,
  processing,
  refusalOf,
  right,
  service,
  settableClock,
  staging,
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

/** A store that returns no data with others, as if all data were large. */
const ofLargeData = (inner: AccountImports): Pick<AccountImports, 'create'> => ({
  create: async (creations) =>
    E.map((outcomes: readonly CreationOutcome[]) =>
      outcomes.map((outcome) =>
        outcome._tag === 'needs_validation' ? { ...outcome, payload: undefined } : outcome,
      ),
    )(
      await inner.create(
        creations.map((creation) =>
          creation.version === undefined ? { ...creation, validatedUnder: undefined } : creation,
        ),
      ),
    ),
})

test('an account of large data is created in one unit of work', async (t) => {
  const { ports, useCases } = await service()
  await stage(useCases)
  let units = 0
  const counted = changed(withImports(ports, ofLargeData), 'unitOfWork', {
    run: (organisation, work) => {
      units += 1
      return ports.unitOfWork.run(organisation, work)
    },
  })
  await right(processing(makeUseCases(counted)))
  t.not(await right(ports.accounts.find(gasKey)), undefined)
  t.is(units, 1)
})

test('an account of large data is created by itself when an e-mail needs it', async (t) => {
  const { ports, useCases } = await service()
  await right(configuring(useCases, { migrationEmails: true }))
  await stage(useCases)
  await right(processing(makeUseCases(withImports(ports, ofLargeData))))
  t.not(await right(ports.accounts.find(gasKey)), undefined)
})

test('large data that cannot be read, or was removed meanwhile, creates no account', async (t) => {
  for (const staged of [
    E.left(portFailure('unavailable', 'accountImports', 'staged', undefined)),
    E.right(undefined),
  ]) {
    const { ports, useCases } = await service()
    await stage(useCases)
    const broken = withImports(ports, (inner) => ({ ...ofLargeData(inner), staged: async () => staged }))
    await refusalOf(processing(makeUseCases(broken)))
    t.is(await right(ports.accounts.find(gasKey)), undefined)
  }
})

const stageNumbers = async (
  { useCases }: Awaited<ReturnType<typeof service>>,
  numbers: readonly string[],
) => {
  for (const external_account_number of numbers) await right(staging(useCases, { external_account_number }))
}

test('large accounts of one organisation above the limit of waiting ones are refused, and created later', async (t) => {
  const made = await service()
  const numbers = Array.from({ length: 40 }, (_, index) => `L-${index}`)
  await stageNumbers(made, numbers)
  const useCases = makeUseCases(
    withImports(made.ports, (inner) => ({
      ...ofLargeData(inner),
      staged: async (key) => {
        await setTimeout(20)
        return inner.staged(key)
      },
    })),
  )
  const created = async (external_account_number: string) =>
    E.match(
      ({ _tag }: { _tag: string }) => _tag,
      () => 'created',
    )(await processing(useCases, { external_account_number }))
  const answers = await Promise.all(numbers.map(created))
  t.deepEqual(new Set(answers), new Set(['created', 'ConcurrencyLimitReached']))
  const refused = numbers.filter((_, index) => answers[index] !== 'created')
  t.true(refused.length <= 40 - 33)
  for (const number of refused) t.is(await created(number), 'created')
})

test('an exception of a platform in the unit of work of a large account is a failure of the port', async (t) => {
  const made = await service()
  await stageNumbers(made, ['L-1'])
  const broken = makeUseCases({
    ...withImports(made.ports, ofLargeData),
    unitOfWork: {
      run: () => {
        throw new Error('a fault of the platform')
      },
    },
  })
  t.is(await refusalOf(processing(broken, { external_account_number: 'L-1' })), 'PortFailure')
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
    breaks += (await right(page)).breaks.length
  t.deepEqual(asked, [undefined, 1])
  t.true(breaks > 0)
})

import test from 'ava'
import { type AccountKey, type BulkResult, defaultServiceSettings, type Ports } from '@account-import/core'
import { E, makeUseCases } from '@account-import/core/fp'
import { marketPack } from '@account-import/core/markets'
import { setImmediate } from 'node:timers/promises'
import {
  changed,
  claimElsewhere,
  gasKey,
  keyOf,
  leastText,
  numbered,
  organisation,
  pausing,
  processGas,
  refusalOf,
  right,
  service,
  staging,
  withStaged,
} from './support/service.js'

const requestFor = (numbers?: readonly string[], fields: object = {}) => ({
  organisation,
  payload: {
    import_supplier_code: processGas.import_supplier_code,
    operations_team_name: processGas.operations_team_name,
    ...(numbers !== undefined && { external_account_numbers: numbers }),
    ...fields,
  },
})

const outcomeOf = ({ outcome }: BulkResult<Readonly<{ _tag: string }>, unknown>): string =>
  E.isLeft(outcome) ? outcome.left._tag : 'created'

const readAll = async (pages: AsyncIterable<readonly BulkResult<Readonly<{ _tag: string }>, unknown>[]>) => {
  const results: (readonly [number, string | undefined, string])[] = []
  for await (const page of pages) {
    if (page.length === 0) throw new Error('a page without results')
    results.push(
      ...page.map((result) => [result.line, result.externalAccountNumber, outcomeOf(result)] as const),
    )
  }
  return results
}

const aFewTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await setImmediate()
}

test('each named account is processed once, in the order of the list, and counted', async (t) => {
  const { useCases } = await withStaged(['A', 'B', 'C'])
  const pages = await right(useCases.bulkProcess(requestFor(['B', 'NOBODY', 'A', 'B'])))
  t.deepEqual(await readAll(pages), [
    [1, 'B', 'created'],
    [2, 'NOBODY', 'NothingStaged'],
    [3, 'A', 'created'],
  ])
  t.is((await right(useCases.transferStatus(keyOf('C')))).attempts, 0)
})

test('a rule of a market that throws for one account fails no other of its page', async (t) => {
  const throwing = marketPack({
    market: 'XX',
    version: '1',
    codes: {},
    rules: [
      ({ external_account_number: number }) => {
        if (number === 'B') throw new Error('a fault')
      },
    ],
  })
  const markets = [...defaultServiceSettings.markets, throwing]
  const { clock, ports, useCases } = await service({ settings: { ...defaultServiceSettings, markets } })
  const stagings = ['A', 'B', 'C'].map((each) => ({
    key: keyOf(each),
    payload: leastText(each),
    at: clock.now(),
  }))
  await right(ports.accountImports.stage(stagings))
  t.deepEqual(await readAll(await right(useCases.bulkProcess(requestFor(['A', 'B', 'C'])))), [
    [1, 'A', 'created'],
    [2, 'B', 'PortFailure'],
    [3, 'C', 'created'],
  ])
})

test('pace is called after results were taken, and no more come before it resolves', async (t) => {
  const { useCases } = await withStaged(['A', 'B', 'C'])
  const told: number[] = []
  const slowly = async (results: number): Promise<void> => {
    await aFewTurns()
    told.push(results)
  }
  const pages = await right(useCases.bulkProcess({ ...requestFor(), pace: slowly }))
  const sizes: number[] = []
  for await (const page of pages) {
    t.deepEqual(told, sizes)
    sizes.push(page.length)
  }
  t.deepEqual(told, sizes)
  t.is(
    sizes.reduce((sum, size) => sum + size, 0),
    3,
  )
})

test('an empty list processes nothing', async (t) => {
  const { useCases } = await withStaged(['A'])
  t.deepEqual(await readAll(await right(useCases.bulkProcess(requestFor([])))), [])
  t.is((await right(useCases.transferStatus(keyOf('A')))).status, 'UNKNOWN')
})

test('all staged accounts are processed without a list, oldest first, except created and skipped ones', async (t) => {
  const { useCases } = await withStaged(['C', 'B', 'A', 'D'])
  await readAll(await right(useCases.bulkProcess(requestFor(['B']))))
  await right(
    useCases.operator.setSkipped({ importSupplier: 'LEVANTE', externalAccountNumber: 'A', skipped: true }),
  )
  t.deepEqual(await readAll(await right(useCases.bulkProcess(requestFor()))), [
    [1, 'C', 'created'],
    [2, 'D', 'created'],
  ])
})

test('a dry run without a list tries each account once and creates none', async (t) => {
  const { useCases } = await withStaged(['A', 'B'])
  t.deepEqual(await readAll(await right(useCases.bulkProcess(requestFor(undefined, { dry_run: true })))), [
    [1, 'A', 'DryRunSucceeded'],
    [2, 'B', 'DryRunSucceeded'],
  ])
  t.is((await right(useCases.transferStatus(keyOf('A')))).status, 'UNKNOWN')
})

test('more accounts than a page of the store are all processed, each once', async (t) => {
  const numbers = numbered(1001)
  const { useCases } = await withStaged(numbers, () => '{}')
  const results = await readAll(await right(useCases.bulkProcess(requestFor())))
  const processed = results.map(([line, number]) => [line, number])
  t.deepEqual(
    processed,
    numbers.map((number, index) => [index + 1, number]),
  )
})

test('accounts that are first staged during the request are not processed by it', async (t) => {
  const { clock, ports, useCases } = await withStaged(['A', 'B'])
  const pages = await right(useCases.bulkProcess(requestFor()))
  clock.pass(1)
  await right(staging(useCases))
  const processed = (await readAll(pages)).map(([, number]) => number)
  t.deepEqual(processed, ['A', 'B'])
  t.is((await right(ports.accountImports.find(gasKey)))?.attempts, 0)
})

const refusals: readonly (readonly [why: string, request: ReturnType<typeof requestFor>, tag: string])[] = [
  ['an unknown supplier', requestFor(['A'], { import_supplier_code: 'NOBODY' }), 'RequestFailedValidation'],
  ['an unknown team', requestFor(['A'], { operations_team_name: 'Nobody' }), 'OperationsTeamDoesNotExist'],
  ['a payload of null', { ...requestFor(), payload: null as never }, 'RequestFailedValidation'],
]
for (const [why, request, tag] of refusals)
  test(`a refusal of every account refuses the whole request: ${why}`, async (t) => {
    const { useCases } = await withStaged(['A'])
    t.is<string, string>(await refusalOf(useCases.bulkProcess(request)), tag)
  })

test('a paused supplier refuses the whole request, before its team is checked', async (t) => {
  const { useCases } = await withStaged(['A'])
  await right(pausing(useCases))
  const request = requestFor(['A'], { operations_team_name: 'Nobody' })
  t.is(await refusalOf(useCases.bulkProcess(request)), 'SupplierNotOngoing')
})

for (const isListed of [true, false])
  test(`a supplier that is paused during the request ${isListed ? 'refuses each named account' : 'ends the run early'}`, async (t) => {
    const numbers = numbered(300)
    const { useCases } = await withStaged(numbers, () => '{}')
    const pages = await right(useCases.bulkProcess(requestFor(isListed ? numbers : undefined)))
    await right(pausing(useCases))
    const results = await readAll(pages)
    t.deepEqual(new Set(results.map(([, , outcome]) => outcome)), new Set(['SupplierNotOngoing']))
    if (isListed) t.is(results.length, 300)
    else t.true(results.length <= 64, `${results.length} results`)
  })

/**
 * The service, with a call before each change of the store that begins to create accounts: a claim, if accounts in processing are
 * limited. `count`: the number of earlier calls for the account.
 */
const beforeEach = (ports: Ports, happens: (number: string, count: number) => void) => {
  const counts = new Map<string, number>()
  const begin = (keys: readonly Readonly<{ key: AccountKey }>[]): void => {
    for (const { key } of keys) {
      const count = counts.get(key.externalAccountNumber) ?? 0
      counts.set(key.externalAccountNumber, count + 1)
      happens(key.externalAccountNumber, count)
    }
  }
  const { accountImports } = ports
  const claim: typeof accountImports.claim = async (requests, limit) => {
    begin(requests)
    return accountImports.claim(requests, limit)
  }
  const create: typeof accountImports.create = async (creations) => {
    begin(creations.filter(({ version }) => version === undefined))
    return accountImports.create(creations)
  }
  const isLimited = ports.settings.processingConcurrencyLimit !== undefined
  return makeUseCases(changed(ports, 'accountImports', isLimited ? { claim } : { create }))
}

test('accounts in the claim of a dead server are processed when the claim has expired, and reported then', async (t) => {
  const { clock, ports } = await withStaged(['A', 'B', 'C'])
  await claimElsewhere(ports, keyOf('B'), 30)
  const useCases = beforeEach(ports, (number, count) => {
    if (number === 'B' && count === 1) clock.pass(31)
  })
  t.deepEqual(await readAll(await right(useCases.bulkProcess(requestFor()))), [
    [1, 'A', 'created'],
    [2, 'C', 'created'],
    [3, 'B', 'created'],
  ])
})

test('a named account that is in progress is refused at once', async (t) => {
  const { ports, useCases } = await withStaged(['A'])
  await claimElsewhere(ports, keyOf('A'), 30)
  t.deepEqual(await readAll(await right(useCases.bulkProcess(requestFor(['A'])))), [
    [1, 'A', 'AccountProcessedElsewhere'],
  ])
})

test('an account above the limit of accounts in processing is tried again until it has a slot', async (t) => {
  const settings = { ...defaultServiceSettings, processingConcurrencyLimit: 1 }
  const { clock, ports } = await withStaged(['A', 'X'])
  await claimElsewhere(ports, keyOf('X'), 30)
  const useCases = beforeEach({ ...ports, settings }, (_, count) => {
    if (count === 1) clock.pass(31)
  })
  const request = { ...requestFor(['A']), signal: new AbortController().signal }
  t.deepEqual(await readAll(await right(useCases.bulkProcess(request))), [[1, 'A', 'created']])
})

for (const [limit, atOnce] of [
  [undefined, 64],
  [3, 3],
  [100, 64],
] as const)
  test(`a bulk request processes at most ${atOnce} accounts at one time when the limit is ${limit ?? 'absent'}`, async (t) => {
    const settings = { ...defaultServiceSettings, ...(limit && { processingConcurrencyLimit: limit }) }
    const { ports } = await withStaged(numbered(150), () => '{}')
    const sizes: number[] = []
    const { accountImports } = ports
    const claim: typeof accountImports.claim = (requests, most) => {
      sizes.push(requests.length)
      return accountImports.claim(requests, most)
    }
    const create: typeof accountImports.create = (creations) => {
      sizes.push(creations.length)
      return accountImports.create(creations)
    }
    const counted = changed(
      { ...ports, settings },
      'accountImports',
      limit === undefined ? { create } : { claim },
    )
    await readAll(await right(makeUseCases(counted).bulkProcess(requestFor())))
    t.is(Math.max(...sizes), atOnce)
    t.is(
      sizes.reduce((sum, size) => sum + size, 0),
      150,
    )
  })

test('no account is begun after the client has disconnected, and the results end with the reason', async (t) => {
  const numbers = numbered(300)
  const { ports } = await withStaged(numbers, () => '{}')
  const gone = new AbortController()
  const reason = new Error('the client has gone')
  let begun = 0
  const useCases = beforeEach(ports, () => {
    begun += 1
    if (begun === 100) gone.abort(reason)
  })
  const pages = await right(useCases.bulkProcess({ ...requestFor(), signal: gone.signal }))
  t.is(await t.throwsAsync(readAll(pages)), reason)
  t.is(begun, 128)
})

test('waiting for a slot ends when the client disconnects', async (t) => {
  const settings = { ...defaultServiceSettings, processingConcurrencyLimit: 1 }
  const { ports } = await withStaged(['A', 'X'])
  await claimElsewhere(ports, keyOf('X'), 30)
  const gone = new AbortController()
  const useCases = beforeEach({ ...ports, settings }, (_, count) => {
    if (count === 1) gone.abort()
  })
  const pages = await right(useCases.bulkProcess({ ...requestFor(['A']), signal: gone.signal }))
  t.deepEqual(await readAll(pages), [[1, 'A', 'ConcurrencyLimitReached']])
})

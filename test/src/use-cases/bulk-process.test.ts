import test from 'ava'
import {
  type BulkResult,
  defaultServiceSettings,
  makeUseCases,
  type Ports,
  type UseCases,
} from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { setImmediate } from 'node:timers/promises'
import { answer } from '../support/answers.js'
import { gasAccount } from '../support/samples.js'
import { setUp } from '../support/set-up.js'
import { countedSecrets } from './support/counted-secrets.js'
import {
  changed,
  claimElsewhere,
  gasKey,
  keyOf,
  numbered,
  organisation,
  pausing,
  processGas,
  refusalOf,
  right,
  settableClock,
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

test('each account that is named is processed once, in the order of the list, and counted', async (t) => {
  const { useCases } = await withStaged(['A', 'B', 'C'])
  const pages = await right(useCases.bulkProcess(requestFor(['B', 'NOBODY', 'A', 'B'])))
  t.deepEqual(await readAll(pages), [
    [1, 'B', 'created'],
    [2, 'NOBODY', 'NothingStaged'],
    [3, 'A', 'created'],
  ])
  t.is((await right(useCases.transferStatus(keyOf('C')))).attempts, 0)
})

test('an empty list processes nothing', async (t) => {
  const { useCases } = await withStaged(['A'])
  t.deepEqual(await readAll(await right(useCases.bulkProcess(requestFor([])))), [])
  t.is((await right(useCases.transferStatus(keyOf('A')))).status, 'UNKNOWN')
})

test('without a list all that is staged is processed, the oldest first, but what was created or skipped', async (t) => {
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

test('more accounts than a page of the store holds are all gone through, each once', async (t) => {
  const numbers = numbered(1001)
  const { useCases } = await withStaged(numbers, () => '{}')
  const results = await readAll(await right(useCases.bulkProcess(requestFor())))
  const processed = results.map(([line, number]) => [line, number])
  t.deepEqual(
    processed,
    numbers.map((number, index) => [index + 1, number]),
  )
})

test('what is staged for the first time after the request began is not of this run', async (t) => {
  const { clock, ports, useCases } = await withStaged(['A', 'B'])
  const pages = await right(useCases.bulkProcess(requestFor()))
  clock.pass(1)
  await right(staging(useCases))
  const processed = (await readAll(pages)).map(([, number]) => number)
  t.deepEqual(processed, ['A', 'B'])
  t.is((await right(ports.accountImports.find(gasKey)))?.attempts, 0)
})

const refusals: readonly (readonly [why: string, request: ReturnType<typeof requestFor>, tag: string])[] = [
  ['no such supplier', requestFor(['A'], { import_supplier_code: 'NOBODY' }), 'RequestFailedValidation'],
  ['no such team', requestFor(['A'], { operations_team_name: 'Nobody' }), 'OperationsTeamDoesNotExist'],
  ['no payload', { ...requestFor(), payload: null as never }, 'RequestFailedValidation'],
]
for (const [why, request, tag] of refusals)
  test(`what would refuse every account refuses the whole request: ${why}`, async (t) => {
    const { useCases } = await withStaged(['A'])
    t.is<string, string>(await refusalOf(useCases.bulkProcess(request)), tag)
  })

test('a supplier that is paused refuses the whole request, before its team is looked at', async (t) => {
  const { useCases } = await withStaged(['A'])
  await right(pausing(useCases))
  const request = requestFor(['A'], { operations_team_name: 'Nobody' })
  t.is(await refusalOf(useCases.bulkProcess(request)), 'SupplierNotOngoing')
})

for (const isListed of [true, false])
  test(`a supplier that is paused on the way ${isListed ? 'refuses each that is named' : 'ends the run early'}`, async (t) => {
    const numbers = numbered(300)
    const { useCases } = await withStaged(numbers, () => '{}')
    const pages = await right(useCases.bulkProcess(requestFor(isListed ? numbers : undefined)))
    await right(pausing(useCases))
    const results = await readAll(pages)
    t.deepEqual(new Set(results.map(([, , outcome]) => outcome)), new Set(['SupplierNotOngoing']))
    if (isListed) t.is(results.length, 300)
    else t.true(results.length <= 64, `${results.length} results`)
  })

/** The service as it is, but for what happens before each claim; `count` is how many there were before it. */
const beforeClaims = (ports: Ports, happens: (number: string, count: number) => void) => {
  const counts = new Map<string, number>()
  return makeUseCases(
    changed(ports, 'accountImports', {
      claim: (requests, limit) => async () => {
        const number = requests[0]?.key.externalAccountNumber ?? ''
        const count = counts.get(number) ?? 0
        counts.set(number, count + 1)
        happens(number, count)
        return ports.accountImports.claim(requests, limit)()
      },
    }),
  )
}

test('what a server that died had claimed is taken over once the claim has expired, and reported then', async (t) => {
  const { clock, ports } = await withStaged(['A', 'B', 'C'])
  await claimElsewhere(ports, keyOf('B'), 30)
  const useCases = beforeClaims(ports, (number, count) => {
    if (number === 'B' && count === 1) clock.pass(31)
  })
  t.deepEqual(await readAll(await right(useCases.bulkProcess(requestFor()))), [
    [1, 'A', 'created'],
    [2, 'C', 'created'],
    [3, 'B', 'created'],
  ])
})

test('an account that is named and in progress elsewhere is refused at once', async (t) => {
  const { ports, useCases } = await withStaged(['A'])
  await claimElsewhere(ports, keyOf('A'), 30)
  t.deepEqual(await readAll(await right(useCases.bulkProcess(requestFor(['A'])))), [
    [1, 'A', 'AccountProcessedElsewhere'],
  ])
})

test('where accounts in processing are limited, one that has to wait is tried again until its turn comes', async (t) => {
  const settings = { ...defaultServiceSettings, processingConcurrencyLimit: 1 }
  const { clock, ports } = await withStaged(['A', 'X'])
  await claimElsewhere(ports, keyOf('X'), 30)
  const useCases = beforeClaims({ ...ports, settings }, (_, count) => {
    if (count === 1) clock.pass(31)
  })
  t.deepEqual(await readAll(await right(useCases.bulkProcess(requestFor(['A'])))), [[1, 'A', 'created']])
})

test('for a client that has gone nothing more is begun, and the results end with the reason', async (t) => {
  const numbers = numbered(300)
  const { ports } = await withStaged(numbers, () => '{}')
  const gone = new AbortController()
  const reason = new Error('the client has gone')
  let claims = 0
  const useCases = beforeClaims(ports, () => {
    claims += 1
    if (claims === 100) gone.abort(reason)
  })
  const pages = await right(useCases.bulkProcess({ ...requestFor(), signal: gone.signal }))
  t.is(await t.throwsAsync(readAll(pages)), reason)
  t.true(claims < 200, `${claims} claims`)
})

test('who waits for a slot when the client goes does not wait any longer', async (t) => {
  const settings = { ...defaultServiceSettings, processingConcurrencyLimit: 1 }
  const { ports } = await withStaged(['A', 'X'])
  await claimElsewhere(ports, keyOf('X'), 30)
  const gone = new AbortController()
  const useCases = beforeClaims({ ...ports, settings }, (_, count) => {
    if (count === 1) gone.abort()
  })
  const pages = await right(useCases.bulkProcess({ ...requestFor(['A']), signal: gone.signal }))
  t.deepEqual(await readAll(pages), [[1, 'A', 'ConcurrencyLimitReached']])
})

/** Two organisations with staged accounts, where so many may be processed at one time; accounts take a turn or two. */
const twoOrganisations = async (places: number, accounts: number) => {
  const clock = settableClock()
  const ports = inMemoryPorts({
    clock,
    secrets: countedSecrets(),
    settings: { ...defaultServiceSettings, processingConcurrencyLimit: places },
  })
  const { platformAccountNumbers } = ports
  const useCases = makeUseCases({
    ...ports,
    platformAccountNumbers: {
      next: () => async () => {
        for (let turn = 0; turn < 5; turn += 1) await setImmediate()
        return platformAccountNumbers.next()()
      },
    },
  })
  const made = [await setUp(useCases.operator), await setUp(useCases.operator)] as const
  for (const { organisation, supplier } of made)
    for (let index = 0; index < accounts; index += 1)
      await answer(useCases.stageAccount({ organisation, payload: gasAccount(supplier, `N-${index}`) }))
  return { useCases, clock, made }
}

type Made = Awaited<ReturnType<typeof twoOrganisations>>['made'][number]

/** Processes accounts of an organisation, so many at one time, each again at once where no place is free. */
const processAtOnce = async (
  useCases: UseCases,
  { organisation, supplier, team }: Made,
  numbers: readonly number[],
  width: number,
): Promise<number> => {
  const left = [...numbers]
  let refused = 0
  const work = async (): Promise<void> => {
    for (let number = left.shift(); number !== undefined; number = left.shift())
      for (;;) {
        const payload = {
          import_supplier_code: supplier,
          external_account_number: `N-${number}`,
          operations_team_name: team,
        }
        const outcome = await useCases.processAccount({ organisation, payload })()
        if (outcome._tag === 'Right') break
        if (outcome.left._tag !== 'ConcurrencyLimitReached') throw new Error(outcome.left._tag)
        refused += 1
        await setImmediate()
      }
  }
  await Promise.all(Array.from({ length: width }, work))
  return refused
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)

for (const places of [1, 4])
  test(`an organisation that always asks for places (${places}) does not starve another, which asks for one at a time`, async (t) => {
    const { useCases, made } = await twoOrganisations(places, 60)
    const [greedy, modest] = made
    let greedyIsDone = false
    const flood = processAtOnce(useCases, greedy, upTo(60), 20).then(() => (greedyIsDone = true))
    await processAtOnce(useCases, modest, upTo(10), 1)
    t.false(greedyIsDone, 'ten accounts of one were through before sixty of the other')
    await flood
  })

test('places that nobody else wants are not kept free, also after another one has gone away', async (t) => {
  const { useCases, made, clock } = await twoOrganisations(1, 3)
  const [one, other] = made
  const request = (of: Made, number: number) =>
    useCases.processAccount({
      organisation: of.organisation,
      payload: {
        import_supplier_code: of.supplier,
        external_account_number: `N-${number}`,
        operations_team_name: of.team,
      },
    })()
  const [first, refused] = await Promise.all([request(one, 0), request(other, 0)])
  t.is(first._tag, 'Right')
  t.like(refused, { _tag: 'Left', left: { _tag: 'ConcurrencyLimitReached' } })
  t.like(await request(one, 1), { left: { _tag: 'ConcurrencyLimitReached' } }, 'it is the turn of the other')
  clock.pass(4)
  t.is((await request(one, 1))._tag, 'Right', 'the other did not come back')
  t.is((await request(other, 0))._tag, 'Right')
  t.is((await request(one, 2))._tag, 'Right')
})

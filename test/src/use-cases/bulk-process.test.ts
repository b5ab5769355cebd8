import test from 'ava'
import {
  type AccountKey,
  type BulkResult,
  defaultServiceSettings,
  makeUseCases,
  type Ports,
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

const aFewTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await setImmediate()
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

test('results are told of once they were taken, and no more come before that is done', async (t) => {
  const { useCases } = await withStaged(['A', 'B', 'C'])
  const told: number[] = []
  const slowly = async (results: number): Promise<void> => {
    await aFewTurns()
    told.push(results)
  }
  const pages = await right(useCases.bulkProcess({ ...requestFor(), told: slowly }))
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
  const claim: typeof accountImports.claim = (requests, limit) => async () => {
    begin(requests)
    return accountImports.claim(requests, limit)()
  }
  const create: typeof accountImports.create = (creations) => async () => {
    begin(creations.filter(({ version }) => version === undefined))
    return accountImports.create(creations)()
  }
  const isLimited = ports.settings.processingConcurrencyLimit !== undefined
  return makeUseCases(changed(ports, 'accountImports', isLimited ? { claim } : { create }))
}

test('what a server that died had claimed is taken over once the claim has expired, and reported then', async (t) => {
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

test('for a client that has gone nothing more is begun, and the results end with the reason', async (t) => {
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

test('who waits for a slot when the client goes does not wait any longer', async (t) => {
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

type Made = Awaited<ReturnType<typeof setUp>>

/** So many organisations with staged accounts, where so many may be processed at one time; each account waits for `turn`. */
const organisations = async (
  count: number,
  places: number,
  accounts: readonly number[],
  turn: () => Promise<void>,
) => {
  const clock = settableClock()
  const settings = { ...defaultServiceSettings, processingConcurrencyLimit: places }
  const ports = inMemoryPorts({ clock, secrets: countedSecrets(), settings })
  const { platformAccountNumbers } = ports
  const next = () => () => turn().then(platformAccountNumbers.next())
  const useCases = makeUseCases({ ...ports, platformAccountNumbers: { next } })
  const made: Made[] = []
  for (let index = 0; index < count; index += 1) made.push(await setUp(useCases.operator))
  for (const { organisation, supplier } of made)
    for (const number of accounts)
      await answer(useCases.stageAccount({ organisation, payload: gasAccount(supplier, `N-${number}`) }))
  const process = ({ organisation, supplier, team }: Made, number: number) => {
    const names = { import_supplier_code: supplier, external_account_number: `N-${number}` }
    return useCases.processAccount({ organisation, payload: { ...names, operations_team_name: team } })()
  }
  return { process, clock, made }
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)

for (const places of [1, 4])
  test(`an organisation that always asks for places (${places}) does not starve another, which asks for one at a time`, async (t) => {
    const { process, made } = await organisations(2, places, upTo(60), aFewTurns)
    const [greedy, modest] = made as [Made, Made]
    /** So many at one time, each again at once where no place is free. */
    const processAtOnce = (of: Made, numbers: readonly number[], width: number) => {
      const left = [...numbers]
      const work = async (): Promise<void> => {
        for (let number = left.shift(); number !== undefined; number = left.shift())
          for (;;) {
            const outcome = await process(of, number)
            if (outcome._tag === 'Right') break
            if (outcome.left._tag !== 'ConcurrencyLimitReached') throw new Error(outcome.left._tag)
            await setImmediate()
          }
      }
      return Promise.all(Array.from({ length: width }, work))
    }
    let greedyIsDone = false
    const flood = processAtOnce(greedy, upTo(60), 20).then(() => (greedyIsDone = true))
    await processAtOnce(modest, upTo(10), 1)
    t.false(greedyIsDone, 'ten accounts of one were through before sixty of the other')
    await flood
  })

/** Organisations by letters: + takes a place, - gives it back, ! has to wait, ? asks for nothing; between them milliseconds. */
const turns: readonly (readonly [why: string, places: number, story: string])[] = [
  ['one that was refused comes next', 1, 'A+ B! A- A! B+ B- A+ A- A+'],
  ['a wish ends after three seconds', 1, 'A+ B! A- 2999 A! 1 A+ A- B+ B- A+'],
  ['a wish ends where the clock is set back', 1, 'A+ B! A- -3000 A+'],
  ['nobody waits for one that was served later', 1, 'A+ A- B+ B! B- A+'],
  ['of those who never were served the first that asks', 1, 'C+ A! B! C- A+'],
  ['nobody waits for one that had nothing staged', 1, 'A+ A- B? A+'],
  ['each may have its share', 4, 'A+ A+ A+ A+ B! A- A! B+ A- A+ B! A- A- A+ A! B+'],
  ['one that neither has nor wants a place has no share', 4, 'C+ C- A+ A+ A+ A+ B! A- A- A- A+ A!'],
  ['one that has a place has a share', 4, 'C+ A+ A+ A+ B! A- A- A! B+'],
]
for (const [why, places, story] of turns)
  test(`organisations take turns: ${why}`, async (t) => {
    let taken = (_end: () => void): void => undefined
    const steps = story.split(' ')
    const untilEnded = () => new Promise<void>((resolve) => taken(resolve))
    const { process, clock, made } = await organisations(3, places, upTo(steps.length), untilEnded)
    const held: Readonly<{ name: string; end: () => void; ended: Promise<unknown> }>[] = []
    const ask = async (name: string, of: Made, number: number): Promise<string> => {
      const took = new Promise<() => void>((resolve) => (taken = resolve))
      const ended = process(of, number)
      const outcome = await Promise.race([took, ended])
      if (typeof outcome !== 'function')
        return outcome._tag === 'Left' && outcome.left._tag === 'NothingStaged' ? '?' : '!'
      held.push({ name, end: outcome, ended })
      return '+'
    }
    for (const [number, step] of steps.entries()) {
      const name = step.charAt(0)
      const of = made['ABC'.indexOf(name)]
      if (of === undefined) clock.pass(Number(step) / 1000)
      else if (step.endsWith('-')) {
        const at = held.findIndex((each) => each.name === name)
        for (const { end, ended } of held.splice(at, 1)) {
          end()
          await ended
        }
      } else
        t.is(
          await ask(name, of, step.endsWith('?') ? steps.length : number),
          step.charAt(1),
          `step ${number}`,
        )
    }
  })

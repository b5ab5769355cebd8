import test from 'ava'
import { makeUseCases, portFailure, type Ports } from '@account-import/core'
import { E, TE } from '@account-import/core/adapter-kit'
import { failing } from '@account-import/core/in-memory'
import { gasKey, organisation, processGas, right, service } from './support/service.js'

/** So many accounts, each staged as text of at least this length. */
const withStaged = async (count: number, length = 0) => {
  const { ports } = await service()
  const numbers = Array.from({ length: count }, (_, index) => `N-${index}`)
  for (const external_account_number of numbers) {
    const payload = JSON.stringify({
      import_supplier: 'LEVANTE',
      external_account_number,
      unknown_occupier: true,
    })
    const key = { ...gasKey, externalAccountNumber: external_account_number }
    await right(ports.accountImports.stage([{ key, payload: payload.padEnd(length), at: ports.clock.now() }]))
  }
  return { ports, numbers }
}

/** The ports, and how many accounts each unit of work completed, or tried to. */
const counting = (ports: Ports) => {
  const sizes: number[] = []
  const unitOfWork: Ports['unitOfWork'] = {
    run: (work) =>
      ports.unitOfWork.run((stores) =>
        work({
          ...stores,
          accountImports: {
            ...stores.accountImports,
            complete: (completions) => {
              sizes.push(completions.length)
              return stores.accountImports.complete(completions)
            },
          },
        }),
      ),
  }
  return { sizes, useCases: makeUseCases({ ...ports, unitOfWork }) }
}

type UseCases = ReturnType<typeof makeUseCases>

const processAll = ({ processAccount }: UseCases, numbers: readonly string[], dry_run = false) =>
  Promise.all(
    numbers.map((number) =>
      processAccount({
        organisation,
        payload: { ...processGas, external_account_number: number, dry_run },
      })(),
    ),
  )

const tagsOf = (answers: Awaited<ReturnType<typeof processAll>>): readonly string[] =>
  answers.map((answer) => (E.isRight(answer) ? 'created' : answer.left._tag))

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0)

const batches: readonly (readonly [why: string, count: number, length: number, most: number])[] = [
  ['16 accounts', 40, 0, 16],
  ['4 Mi characters of staged data', 8, 1_500_000, 2],
  ['4 Mi characters exactly', 8, 2 ** 21, 2],
  ['one account, however long it is', 4, 2 ** 22 + 1, 1],
]
for (const [why, count, length, most] of batches)
  test(`accounts that are ready at the same moment are created in one unit of work, up to ${why}`, async (t) => {
    const { ports, numbers } = await withStaged(count, length)
    const { sizes, useCases } = counting(ports)
    t.deepEqual(new Set(tagsOf(await processAll(useCases, numbers))), new Set(['created']))
    t.is(Math.max(...sizes), most)
    t.is(sum(sizes), count)
  })

test('each of them gets its own number, and is stored under its own name', async (t) => {
  const { ports, numbers } = await withStaged(20)
  const answers = await processAll(makeUseCases(ports), numbers)
  for (const [index, number] of numbers.entries()) {
    const answer = answers[index]
    const account = await right(ports.accounts.find({ ...gasKey, externalAccountNumber: number }))
    t.is(
      account?.platformAccountNumber,
      answer && E.isRight(answer) ? answer.right.platformAccountNumber : 'none',
    )
  }
})

test('an account that cannot be created fails alone, and those beside it are created', async (t) => {
  const { ports, numbers } = await withStaged(5)
  const given = ['1', '2', '1', '3', '4']
  const platformAccountNumbers = { next: () => TE.fromIO(() => given.shift() ?? 'none is left') }
  const { sizes, useCases } = counting({ ...ports, platformAccountNumbers })
  t.deepEqual(tagsOf(await processAll(useCases, numbers)), [
    'created',
    'created',
    'PortFailure',
    'created',
    'created',
  ])
  t.deepEqual(sizes, [5, 1, 1, 1, 1, 1])
})

test('where the database is away none of them is tried again', async (t) => {
  const { ports, numbers } = await withStaged(5)
  let runs = 0
  const away = failing(ports.unitOfWork, 'run')
  const unitOfWork: Ports['unitOfWork'] = {
    run: (work) => {
      runs += 1
      return away.run(work)
    },
  }
  const answers = await processAll(makeUseCases({ ...ports, unitOfWork }), numbers)
  t.deepEqual(new Set(tagsOf(answers)), new Set(['PortFailure']))
  t.is(runs, 1)
})

test('where only some rows are out of reach each of them is tried by itself', async (t) => {
  const { ports, numbers } = await withStaged(3)
  let runs = 0
  const unitOfWork: Ports['unitOfWork'] = {
    run: (work) => {
      runs += 1
      const locked = {
        ...portFailure('unavailable', 'unitOfWork', 'run', undefined),
        ofSomeRows: true,
      } as const
      return runs === 1 ? TE.left(locked) : ports.unitOfWork.run(work)
    },
  }
  const answers = await processAll(makeUseCases({ ...ports, unitOfWork }), numbers)
  t.deepEqual(tagsOf(answers), ['created', 'created', 'created'])
  t.is(runs, 1 + numbers.length)
})

test('a dry run creates nothing, and shares its unit of work with nobody', async (t) => {
  const { ports, numbers } = await withStaged(3)
  const { sizes, useCases } = counting(ports)
  t.deepEqual(new Set(tagsOf(await processAll(useCases, numbers, true))), new Set(['DryRunSucceeded']))
  t.deepEqual(sizes, [1, 1, 1])
  for (const externalAccountNumber of numbers) {
    const key = { ...gasKey, externalAccountNumber }
    t.is(await right(ports.accounts.find(key)), undefined)
    const found = await right(ports.accountImports.find(key))
    t.like(found, { attempts: 0, created: undefined, claim: undefined, latestFailure: undefined })
  }
})

test('a claim that was taken over meanwhile is lost: nothing of that account is created', async (t) => {
  const { ports, numbers } = await withStaged(2)
  const lost: Ports['unitOfWork'] = {
    run: (work) =>
      ports.unitOfWork.run((stores) =>
        work({
          ...stores,
          accountImports: {
            ...stores.accountImports,
            complete: (completions) =>
              stores.accountImports.complete(
                completions.map((each) =>
                  each.key.externalAccountNumber === 'N-0' ? { ...each, token: 'not theirs' } : each,
                ),
              ),
          },
        }),
      ),
  }
  for (const dryRun of [true, false]) {
    const answers = await processAll(makeUseCases({ ...ports, unitOfWork: lost }), numbers, dryRun)
    t.deepEqual(tagsOf(answers), ['ClaimLost', dryRun ? 'DryRunSucceeded' : 'created'])
    const [first] = answers
    if (first !== undefined && E.isLeft(first))
      t.deepEqual<unknown, unknown>(first.left, {
        _tag: 'ClaimLost',
        key: { ...gasKey, externalAccountNumber: 'N-0' },
        retryAfterSeconds: 1,
      })
  }
  t.is(await right(ports.accounts.find({ ...gasKey, externalAccountNumber: 'N-0' })), undefined)
})

test('accounts whose commit was done and reported as failed are created once, and answered with the numbers that they have', async (t) => {
  const { ports, numbers } = await withStaged(3)
  let runs = 0
  const unitOfWork: Ports['unitOfWork'] = {
    run: (work) => async () => {
      runs += 1
      const done = await ports.unitOfWork.run(work)()
      return runs === 1 ? failing(ports.unitOfWork, 'run', { kind: 'unexpected' }).run(work)() : done
    },
  }
  const answers = await processAll(makeUseCases({ ...ports, unitOfWork }), numbers)
  t.deepEqual(tagsOf(answers), ['created', 'created', 'created'])
  t.is(runs, 1 + numbers.length)
  for (const [index, externalAccountNumber] of numbers.entries()) {
    const account = await right(ports.accounts.find({ ...gasKey, externalAccountNumber }))
    t.like(answers[index], { right: { platformAccountNumber: account?.platformAccountNumber } })
  }
})

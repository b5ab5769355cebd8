import test from 'ava'
import { defaultServiceSettings, portFailure, type Ports } from '@account-import/core'
import { E, makeUseCases } from '@account-import/core/fp'
import { failing } from '@account-import/core/in-memory'
import { bareDetails } from '../support/bare-details.js'
import { once } from '../support/once.js'
import {
  changed,
  claimElsewhere,
  configuring,
  gasKey,
  keyOf,
  left,
  numbered,
  organisation,
  processGas,
  processing,
  refusalOf,
  right,
  service,
  staging,
  withStaged,
} from './support/service.js'

const least = {
  import_supplier: gasKey.importSupplier,
  external_account_number: gasKey.externalAccountNumber,
  unknown_occupier: true,
}

test('an account is created from its staged data, at the time of its creation, under its team', async (t) => {
  const { clock, ports, useCases } = await service()
  for (const account_type of ['DOMESTIC', 'BUSINESS'])
    await right(useCases.stageAccount({ organisation, payload: { ...least, account_type } }))
  clock.pass(60)
  const { platformAccountNumber } = await right(processing(useCases))
  t.deepEqual<unknown, unknown>(await right(ports.accounts.find(gasKey)), {
    key: gasKey,
    platformAccountNumber,
    operationsTeam: processGas.operations_team_name,
    stagedVersion: 2,
    createdAt: clock.now(),
    details: { ...bareDetails, account_type: 'BUSINESS', unknown_occupier: true },
  })
})

type Create = Ports['accountImports']['create']
type UseCases = ReturnType<typeof makeUseCases>

/** Ports on which units of work create accounts in this way. */
const creatingInUnits = (
  ports: Ports,
  create: (...given: Parameters<Create>) => (plainly: Create) => ReturnType<Create>,
): Ports => ({
  ...ports,
  unitOfWork: {
    run: (organisation, work) =>
      ports.unitOfWork.run(organisation, ({ accountImports, ...stores }) => {
        const changedCreate: Create = (...given) => create(...given)(accountImports.create)
        return work({ ...stores, accountImports: { ...accountImports, create: changedCreate } })
      }),
  },
})

/** The ports of a service whose supplier sends e-mails, which need each account when it is created. */
const withReaders = async (numbers: readonly string[]) => {
  const made = await withStaged(numbers)
  await right(configuring(made.useCases, { migrationEmails: true }))
  return made
}

/** The use cases, and the number of accounts that each unit of work reads. */
const counting = (ports: Ports) => {
  const sizes: number[] = []
  const useCases = makeUseCases(
    creatingInUnits(ports, (creations) => (plainly) => {
      if (creations.some(({ version }) => version === undefined)) sizes.push(creations.length)
      return plainly(creations)
    }),
  )
  return { sizes, useCases }
}

const { external_account_number: _number, ...processAll } = processGas

/** Processes accounts, or all that is staged, by one request: for each account a tag, and its number if it was created. */
const processList = async (useCases: UseCases, options: Readonly<Record<string, unknown>> = {}) => {
  const answers: Readonly<{ tag: string; number?: string }>[] = []
  const pages = await right(useCases.bulkProcess({ organisation, payload: { ...processAll, ...options } }))
  for await (const page of pages)
    for (const { outcome } of page)
      answers.push(
        E.isRight(outcome)
          ? { tag: 'created', number: outcome.right.platformAccountNumber }
          : { tag: outcome.left._tag },
      )
  return answers
}

const tagsOf = (answers: Awaited<ReturnType<typeof processList>>): readonly string[] =>
  answers.map(({ tag }) => tag)

const every = (count: number, tag: string): readonly string[] => Array.from({ length: count }, () => tag)

/** The platform account numbers of the accounts that are stored. */
const storedNumbers = (ports: Ports, numbers: readonly string[]) =>
  Promise.all(
    numbers.map(async (number) => (await right(ports.accounts.find(keyOf(number))))?.platformAccountNumber),
  )

test('accounts of one request are created by one change of the store, each under its own number', async (t) => {
  const numbers = numbered(20)
  const { ports, useCases } = await withStaged(numbers)
  t.deepEqual(tagsOf(await processList(useCases, { dry_run: true })), every(20, 'DryRunSucceeded'))
  const sizes: number[] = []
  const counted = changed(ports, 'accountImports', {
    create: (creations) => {
      sizes.push(creations.length)
      return ports.accountImports.create(creations)
    },
  })
  const unitOfWork = failing(ports.unitOfWork, 'run')
  const answers = await processList(makeUseCases({ ...counted, unitOfWork }))
  t.deepEqual(tagsOf(answers), every(20, 'created'))
  // The texts were staged without a judgement, so that they are validated and created by their version.
  t.deepEqual(sizes, [20, 20])
  t.deepEqual(
    answers.map(({ number }) => number),
    await storedNumbers(ports, numbers),
  )
})

test('an account that cannot be created fails alone, and the others are created', async (t) => {
  for (const make of [withStaged, withReaders]) {
    const numbers = numbered(5)
    const { ports } = await make(numbers)
    const given = ['1', '2', '1', '3', '4']
    const platformAccountNumbers = { next: async () => E.right(given.shift() ?? 'none is left') }
    const answers = await processList(makeUseCases({ ...ports, platformAccountNumbers }))
    t.deepEqual(tagsOf(answers), ['created', 'created', 'PortFailure', 'created', 'created'])
    const [failed] = numbers.slice(2)
    const found = await right(ports.accountImports.find(keyOf(failed ?? '')))
    t.like(found, { attempts: 1, created: undefined, latestFailure: { code: 'error' } })
  }
})

test('accounts of a supplier with e-mails are created in units of work of 16', async (t) => {
  const { ports } = await withReaders(numbered(40))
  const { sizes, useCases } = counting(ports)
  t.deepEqual(tagsOf(await processList(useCases)), every(40, 'created'))
  t.deepEqual(sizes, [16, 16, 8])
})

test('a failed unit of work is followed by one for each of its accounts', async (t) => {
  const { ports } = await withReaders(numbered(5))
  const given = ['1', '2', '1', '3', '4']
  const platformAccountNumbers = { next: async () => E.right(given.shift() ?? 'none is left') }
  const { sizes, useCases } = counting({ ...ports, platformAccountNumbers })
  await processList(useCases)
  t.deepEqual(sizes, [5, 1, 1, 1, 1, 1])
})

test('a unit of work that fails by an unavailable database is not tried again', async (t) => {
  const { ports } = await withReaders(numbered(5))
  let runs = 0
  const away = failing(ports.unitOfWork, 'run')
  const unitOfWork: Ports['unitOfWork'] = {
    run: (organisation, work) => {
      runs += 1
      return away.run(organisation, work)
    },
  }
  t.deepEqual(tagsOf(await processList(makeUseCases({ ...ports, unitOfWork }))), every(5, 'PortFailure'))
  t.is(runs, 1)
})

test('a unit of work with some unavailable rows is followed by one for each account', async (t) => {
  const { ports } = await withReaders(numbered(3))
  let runs = 0
  const unitOfWork: Ports['unitOfWork'] = {
    run: async (organisation, work) => {
      runs += 1
      const locked = {
        ...portFailure('unavailable', 'unitOfWork', 'run', undefined),
        ofSomeRows: true,
      } as const
      return runs === 1 ? E.left(locked) : ports.unitOfWork.run(organisation, work)
    },
  }
  t.deepEqual(tagsOf(await processList(makeUseCases({ ...ports, unitOfWork }))), every(3, 'created'))
  t.is(runs, 4)
})

/** Ports that fail the test for each change that is not rolled back. */
const withoutWrites = (ports: Ports): Ports => {
  const refuse = (operation: string) => (): never => {
    throw new Error(`a dry run calls ${operation}`)
  }
  return changed(ports, 'accountImports', {
    claim: refuse('claim'),
    create: refuse('create'),
    release: refuse('release'),
    stage: refuse('stage'),
  })
}

test('a dry run does all steps of each account in a unit of work of its own, and stores nothing', async (t) => {
  for (const make of [withStaged, withReaders]) {
    const numbers = numbered(3)
    const { ports } = await make(numbers)
    const { sizes, useCases } = counting(withoutWrites(ports))
    t.deepEqual(tagsOf(await processList(useCases, { dry_run: true })), every(3, 'DryRunSucceeded'))
    t.deepEqual(sizes, [1, 1, 1])
    for (const number of numbers) {
      t.is(await right(ports.accounts.find(keyOf(number))), undefined)
      const found = await right(ports.accountImports.find(keyOf(number)))
      t.like(found, { attempts: 0, created: undefined, claim: undefined, latestFailure: undefined })
    }
  }
})

test('a dry run of an account that cannot be created returns the reason, and stores nothing', async (t) => {
  const { ports } = await withStaged(['A', 'B', 'C'])
  await right(ports.accountImports.stage([{ key: keyOf('B'), payload: '{"a":1}', at: ports.clock.now() }]))
  await claimElsewhere(ports, keyOf('C'))
  const before = await right(ports.accountImports.find(keyOf('B')))
  const useCases = makeUseCases(withoutWrites(ports))
  const named = (number: string) => processing(useCases, { external_account_number: number, dry_run: true })
  t.is(await refusalOf(named('A')), 'DryRunSucceeded')
  t.is(await refusalOf(named('B')), 'AccountFailedValidation')
  t.is(await refusalOf(named('C')), 'AccountProcessedElsewhere')
  t.is(await refusalOf(named('NOBODY')), 'NothingStaged')
  t.deepEqual(await right(ports.accountImports.find(keyOf('B'))), before)
})

const limited = { ...defaultServiceSettings, processingConcurrencyLimit: 10 }

test('a claim that is lost during creation leaves the account to its new owner', async (t) => {
  const [lost, kept] = ['A', 'B']
  const { clock, ports } = await withStaged([lost, kept])
  const owner = makeUseCases({ ...ports, settings: limited })
  const slow = makeUseCases({
    ...ports,
    settings: limited,
    platformAccountNumbers: {
      next: async () => {
        clock.pass(61)
        await right(processing(owner, { external_account_number: lost }))
        return ports.platformAccountNumbers.next()
      },
    },
  })
  t.like(await left(processing(slow, { external_account_number: lost })), {
    _tag: 'AccountAlreadyImported',
    sameData: true,
  })
  const found = await right(ports.accountImports.find(keyOf(lost)))
  t.like(found, { attempts: 2, latestFailure: undefined })
  t.is((await right(owner.transferStatus(keyOf(kept)))).status, 'UNKNOWN')
})

test('a claim that another request took over refuses the creation, which may be tried again', async (t) => {
  const { ports } = await withStaged(['A', 'B'])
  const losing = changed({ ...ports, settings: limited }, 'accountImports', {
    create: async (creations) => {
      for (const { key, token } of creations)
        if (token !== undefined && key.externalAccountNumber === 'A')
          await right(ports.accountImports.release([{ key, token }]))
      return ports.accountImports.create(creations)
    },
  })
  // Each named account is tried once: a request for all that is staged tries again until a claim has surely expired.
  const answers = await processList(makeUseCases(losing), { external_account_numbers: ['A', 'B'] })
  t.deepEqual([...tagsOf(answers)].sort(), ['ClaimLost', 'created'])
  const refused = await left(processing(makeUseCases(losing), { external_account_number: 'A' }))
  t.deepEqual<unknown, unknown>(refused, { _tag: 'ClaimLost', key: keyOf('A'), retryAfterSeconds: 1 })
  t.is(await right(ports.accounts.find(keyOf('A'))), undefined)
})

test('accounts whose commit was reported as failed are created once, and their numbers returned', async (t) => {
  const numbers = numbered(3)
  const { ports } = await withReaders(numbers)
  let runs = 0
  const unitOfWork: Ports['unitOfWork'] = {
    run: async (organisation, work) => {
      runs += 1
      const done = await ports.unitOfWork.run(organisation, work)
      return runs === 1
        ? failing(ports.unitOfWork, 'run', { kind: 'unexpected' }).run(organisation, work)
        : done
    },
  }
  const answers = await processList(makeUseCases({ ...ports, unitOfWork }))
  t.deepEqual(tagsOf(answers), every(3, 'created'))
  t.is(runs, 1 + numbers.length)
  t.deepEqual(
    answers.map(({ number }) => number),
    await storedNumbers(ports, numbers),
  )
})

test('a store whose data changes within a unit of work fails the request', async (t) => {
  const { ports } = await withReaders(['A'])
  const changing = creatingInUnits(ports, (creations) => async (plainly) => {
    const isJudged = creations.some(({ version }) => version !== undefined)
    return isJudged ? E.right([{ _tag: 'needs_validation' }]) : plainly(creations)
  })
  const refused = await left(processing(makeUseCases(changing), { external_account_number: 'A' }))
  t.like(refused, {
    _tag: 'PortFailure',
    operation: 'create',
    cause: { message: 'staged data changed each time that it was judged' },
  })
})

test('a process reads the texts of eight requests at one time, and an account without need of its text does not wait', async (t) => {
  const numbers = numbered(12)
  const { ports, useCases: first } = await withStaged(numbers)
  await right(staging(first))
  const [eight, letGo] = [once(), once()]
  const reading = { now: 0, most: 0 }
  const useCases = makeUseCases(
    changed(ports, 'accountImports', {
      staged: async (keys) => {
        reading.now += 1
        reading.most = Math.max(reading.most, reading.now)
        if (reading.now === 8) eight.happen()
        await letGo.happened
        reading.now -= 1
        return ports.accountImports.staged(keys)
      },
    }),
  )
  const sent = numbers.map((external_account_number) => processing(useCases, { external_account_number }))
  await eight.happened
  await right(processing(useCases))
  letGo.happen()
  for (const each of sent) await right(each)
  t.is(reading.most, 8)
})

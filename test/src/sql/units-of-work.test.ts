import { connectSql, createSqlPorts, migrate } from '@account-import/adapter-sql'
import {
  makeUseCases,
  plainUseCases,
  type AccountToSend,
  type Ports,
  type UseCases,
} from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import { failing, inMemoryPorts } from '@account-import/core/in-memory'
import test from 'ava'
import { blocksOf } from '../docs/readme.js'
import { answer } from '../support/answers.js'
import { textOf } from '../support/repository.js'
import { gasAccount } from '../support/samples.js'
import { accountOf } from './support/account-of.js'
import { bareDetails } from '../support/bare-details.js'
import { testDatabases, type Opened } from './support/databases.js'
import { claimOf, keyOf, stagingOf } from './support/imports.js'

const database = connectSql('sqlite::memory:')
await migrate(database)
const stores = createSqlPorts(database, {
  onAccountsCreated: async (trx, accounts) => {
    await trx('crm_customers').insert(
      accounts.map((account) => ({ platform_number: account.platformAccountNumber })),
    )
  },
})
const service = plainUseCases(makeUseCases(inMemoryPorts(stores)))

test.after.always(() => database.destroy())

const { onEach, onServers, onMariaDb } = testDatabases()

onEach(
  'a unit of work that is refused leaves nothing, and one that succeeds leaves everything',
  async (t, { open }) => {
    const { accountImports, accounts, unitOfWork } = open().ports
    await answer(accountImports.stage([stagingOf('A')]))
    const request = claimOf('A')
    await answer(accountImports.claim([request]))
    const create = (refuse: boolean) =>
      unitOfWork.run((stores) => async () => {
        await answer(stores.accountImports.complete([{ ...request, platformAccountNumber: 'P-1' }]))
        await answer(stores.accounts.create([accountOf('A', 'P-1')]))
        return refuse ? E.left('refused' as const) : E.right('created' as const)
      })
    t.deepEqual(await create(true)(), E.left('refused'))
    t.is(await answer(accounts.find(keyOf('A'))), undefined)
    t.is((await answer(accountImports.find(keyOf('A'))))?.created, undefined)
    t.is(await answer(create(false)), 'created')
    t.deepEqual(await answer(accounts.find(keyOf('A'))), accountOf('A', 'P-1'))
  },
)

onEach(
  'a unit of work is not committed when one of its operations failed, whatever it answers',
  async (t, { open }) => {
    const { accountImports, accounts, unitOfWork } = open().ports
    await answer(accounts.create([accountOf('A', 'P-1', bareDetails)]))
    const run = unitOfWork.run((stores) => async () => {
      await answer(stores.accountImports.stage([stagingOf('B')]))
      await stores.accounts.create([accountOf('C', 'P-2', bareDetails), accountOf('A', 'P-3', bareDetails)])()
      return E.right('ignored the failure')
    })
    const result = await run()
    t.like(result, { _tag: 'Left', left: { _tag: 'PortFailure', kind: 'unexpected' } })
    t.is(await answer(accountImports.find(keyOf('B'))), undefined)
    t.is(await answer(accounts.find(keyOf('C'))), undefined)
  },
)

onMariaDb('a unit of work that meets a deadlock runs again from its beginning', async (t, { open }) => {
  const opened = open()
  const { accountImports, unitOfWork } = opened.ports
  await answer(accountImports.stage([stagingOf('A'), stagingOf('B')]))
  let [runs, held] = [0, 0]
  let bothHoldOne = (): void => undefined
  const whenBothHoldOne = new Promise<void>((resolve) => (bothHoldOne = resolve))
  const stageInOrder = (order: readonly string[]) =>
    unitOfWork.run((stores) => async () => {
      runs += 1
      for (const number of order) {
        const outcome = await stores.accountImports.stage([stagingOf(number, `"${order.join('')}"`)])()
        if (E.isLeft(outcome)) return outcome
        if (++held === 2) bothHoldOne()
        await whenBothHoldOne
      }
      return E.right('done')
    })
  const results = await Promise.all([answer(stageInOrder(['A', 'B'])), answer(stageInOrder(['B', 'A']))])
  t.deepEqual(results, ['done', 'done'])
  t.deepEqual(opened.retries, [{ reason: 'deadlock', attempt: 1 }])
  t.is(runs, 3)
  t.is((await answer(accountImports.find(keyOf('A'))))?.stagedVersion, 3)
})

const numbers = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `A-${String(index).padStart(3, '0')}`)

const opened = (opened: Opened, yours: Partial<Ports> = {}) => {
  const ports = inMemoryPorts({ ...opened.ports, ...yours })
  return { ports, useCases: makeUseCases(ports) }
}

/** A service with the accounts staged. */
const staged = async (useCases: UseCases, accounts: readonly string[]): Promise<void> => {
  await answer(useCases.operator.createOrganisation({ code: 'ACME' }))
  await answer(useCases.operator.createSupplier({ code: 'LEVANTE', organisation: 'ACME' }))
  await answer(useCases.operator.createTeam('Team'))
  await Promise.all(
    accounts.map((number) =>
      answer(useCases.stageAccount({ organisation: 'ACME', payload: gasAccount('LEVANTE', number) })),
    ),
  )
}

/** What became of each: the number of its account, or the tag of its refusal. */
const processed = (
  useCases: UseCases,
  accounts: readonly string[],
  dryRun = false,
): Promise<readonly string[]> =>
  Promise.all(
    accounts.map(async (number) => {
      const payload = {
        external_account_number: number,
        import_supplier_code: 'LEVANTE',
        operations_team_name: 'Team',
        dry_run: dryRun,
      }
      const done = await useCases.processAccount({ organisation: 'ACME', payload })()
      return done._tag === 'Right' ? done.right.platformAccountNumber : done.left._tag
    }),
  )

/** Which of the accounts there are, by the store of accounts and by that of imports, which must agree. */
const existing = async (
  { accounts, accountImports }: Ports,
  of: readonly string[],
): Promise<readonly string[]> => {
  const found: string[] = []
  for (const number of of) {
    const account = await answer(accounts.find(keyOf(number)))
    const imported = await answer(accountImports.find(keyOf(number)))
    if (account?.platformAccountNumber !== imported?.created?.platformAccountNumber)
      throw new Error(`${number} is half there`)
    if (account !== undefined) found.push(number)
  }
  return found
}

/** Counts the units of work that are begun. */
const countingUnits = (ports: Pick<Ports, 'unitOfWork'>) => {
  let units = 0
  const unitOfWork: Ports['unitOfWork'] = {
    run: (work) => {
      units += 1
      return ports.unitOfWork.run(work)
    },
  }
  return { unitOfWork, units: () => units }
}

onEach('accounts that are processed at the same moment share units of work', async (t, { open }) => {
  const database = open()
  const { unitOfWork, units } = countingUnits(database.ports)
  const { ports, useCases } = opened(database, { unitOfWork })
  const all = numbers(64)
  await staged(useCases, all)
  t.is(new Set(await processed(useCases, all)).size, 64)
  t.deepEqual(await existing(ports, all), all)
  t.true(units() <= 16, `${units()} units of work`)
})

onEach(
  'an account whose rows are there already fails alone, and is recorded; those beside it are created',
  async (t, { open }) => {
    const { ports, useCases } = opened(open())
    const all = numbers(12)
    await staged(useCases, all)
    await answer(ports.accounts.create([accountOf('A-005', 'P-before')]))
    const outcomes = await processed(useCases, all)
    t.deepEqual(
      outcomes.map((outcome) => outcome === 'PortFailure'),
      all.map((number) => number === 'A-005'),
    )
    const others = all.filter((number) => number !== 'A-005')
    t.deepEqual(await existing(ports, others), others)
    const failed = await answer(ports.accountImports.find(keyOf('A-005')))
    t.deepEqual(
      [failed?.created, failed?.claim, failed?.attempts, failed?.latestFailure?.code],
      [undefined, undefined, 1, 'error'],
    )
  },
)

onServers(
  'an account whose rows stay locked fails alone; those beside it are created',
  async (t, { open }) => {
    const database = open()
    const { ports, useCases } = opened(database)
    const all = numbers(12)
    await staged(useCases, all)
    // It says what the server says who has waited for a lock for too long.
    await database.knex.raw(
      "CREATE TRIGGER locked BEFORE INSERT ON accounts FOR EACH ROW IF NEW.external_account_number = 'A-005' " +
        "THEN SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1205; END IF",
    )
    const outcomes = await processed(useCases, all)
    t.deepEqual(
      outcomes.map((outcome) => outcome === 'PortFailure'),
      all.map((number) => number === 'A-005'),
    )
    const others = all.filter((number) => number !== 'A-005')
    t.deepEqual(await existing(ports, all), others)
    const failed = await answer(ports.accountImports.find(keyOf('A-005')))
    t.deepEqual([failed?.claim, failed?.latestFailure?.code], [undefined, 'service_unavailable'])
  },
)

onEach('of accounts that get one number one is created, and the others fail alone', async (t, { open }) => {
  const database = open()
  const numbersOf = inMemoryPorts().platformAccountNumbers
  let given = 0
  const same: Ports['platformAccountNumbers'] = {
    next: () => async () => {
      given += 1
      return given % 4 === 0 ? { _tag: 'Right', right: 'A-SAME' } : numbersOf.next()()
    },
  }
  const { ports, useCases } = opened(database, { platformAccountNumbers: same })
  const all = numbers(12)
  await staged(useCases, all)
  const outcomes = await processed(useCases, all)
  t.deepEqual(
    [
      outcomes.filter((outcome) => outcome === 'A-SAME').length,
      outcomes.filter((outcome) => outcome === 'PortFailure').length,
    ],
    [1, 2],
  )
  t.is((await existing(ports, all)).length, 10)
})

onEach('a claim that is lost while others are created concerns its account alone', async (t, { open }) => {
  const database = open()
  const { accountImports } = database.ports
  /** Between the claim and the creation, the third account's claim ends and another takes it. */
  const platformAccountNumbers: Ports['platformAccountNumbers'] = {
    next: () => async () => {
      const found = await answer(accountImports.find(keyOf('A-003')))
      if (found?.claim !== undefined && found.claim.token !== 'heir') {
        await answer(accountImports.release([{ key: keyOf('A-003'), token: found.claim.token }]))
        const at = ports.clock.now()
        const expiresAt = new Date(Date.parse(at) + 60_000).toISOString() as typeof at
        await answer(
          accountImports.claim([
            { key: keyOf('A-003'), token: 'heir', at, expiresAt, countsAsAttempt: true },
          ]),
        )
      }
      return inMemoryPorts().platformAccountNumbers.next()()
    },
  }
  const { ports, useCases } = opened(database, { platformAccountNumbers })
  const all = numbers(8)
  await staged(useCases, all)
  const outcomes = await processed(useCases, all)
  t.deepEqual(
    outcomes.map((outcome) => outcome === 'ClaimLost'),
    all.map((number) => number === 'A-003'),
  )
  const others = all.filter((number) => number !== 'A-003')
  t.deepEqual(await existing(ports, all), others)
  t.is((await answer(accountImports.find(keyOf('A-003'))))?.claim?.token, 'heir')
})

onEach('dry runs beside real ones keep nothing and take nothing from them', async (t, { open }) => {
  const { ports, useCases } = opened(open())
  const all = numbers(16)
  await staged(useCases, all)
  const [tried, real] = [all.filter((_, index) => index % 2 === 0), all.filter((_, index) => index % 2 === 1)]
  const [dry] = await Promise.all([processed(useCases, tried, true), processed(useCases, real)])
  t.deepEqual([...new Set(dry)], ['DryRunSucceeded'])
  t.deepEqual(await existing(ports, all), real)
  t.is((await answer(ports.accountImports.find(keyOf(tried[0] ?? ''))))?.attempts, 0)
})

onEach(
  'two servers that process the same accounts in opposite orders create each once, without a deadlock',
  async (t, { open }) => {
    const [one, other] = [open(), open()]
    const all = numbers(48)
    const first = opened(one)
    await staged(first.useCases, all)
    const outcomes = await Promise.all([
      processed(first.useCases, all),
      processed(opened(other).useCases, [...all].reverse()),
    ])
    const [forth, back] = outcomes
    for (const [index, number] of all.entries()) {
      const pair = [forth[index], back[all.length - 1 - index]]
      t.is(pair.filter((outcome) => outcome?.startsWith('A-')).length, 1, `${number}: ${pair.join(', ')}`)
    }
    t.deepEqual(await existing(first.ports, all), all)
    t.deepEqual(
      [...one.retries, ...other.retries].filter(({ reason }) => reason === 'deadlock'),
      [],
    )
  },
)

test('where the database is away, a unit of work that failed is not tried again account by account', async (t) => {
  const own = inMemoryPorts()
  const { unitOfWork, units } = countingUnits({ unitOfWork: failing(own.unitOfWork, 'run') })
  const useCases = makeUseCases({ ...own, unitOfWork })
  const all = numbers(32)
  await staged(useCases, all)
  t.deepEqual([...new Set(await processed(useCases, all))], ['PortFailure'])
  t.true(units() < 16, `${units()} units of work`)
})

test('the page on embedding shows the code that runs here', (t) => {
  const shown = blocksOf('ts', 'own-tables', 'docs/how-to/embed-the-core.md')
  t.is(shown.length, 1)
  t.true(textOf('test/src/sql/units-of-work.test.ts').includes(`\n${shown[0]}\n`), shown[0])
})

test('a row of a table of its own is written with the account, and when that fails nothing is created', async (t) => {
  await database.schema.createTable('crm_customers', (table) => {
    table.string('platform_number').primary()
  })
  // FAIL leaves the row that was just written, so only the end of the transaction takes it away.
  await database.raw(
    "create trigger refuses after insert on crm_customers begin select raise(fail, 'the CRM refuses'); end",
  )
  await service.operator.createOrganisation({ code: 'ACME' })
  await service.operator.createSupplier({ code: 'LEVANTE', organisation: 'ACME' })
  await service.operator.createTeam('Team')
  const key = { organisation: 'ACME', importSupplier: 'LEVANTE', externalAccountNumber: 'N-1' }
  const payload: AccountToSend = {
    import_supplier: 'LEVANTE',
    external_account_number: 'N-1',
    account_type: 'DOMESTIC',
    unknown_occupier: true,
  }
  t.like(await service.stageAccount({ organisation: 'ACME', payload }), { ok: true })
  const request = {
    import_supplier_code: 'LEVANTE',
    external_account_number: 'N-1',
    operations_team_name: 'Team',
  }
  const refused = await service.processAccount({ organisation: 'ACME', payload: request })
  t.like(refused, { ok: false, refusal: { _tag: 'PortFailure' } })
  t.deepEqual(await database('crm_customers'), [])
  t.like(await service.transferStatus(key), { ok: true, value: { platformAccountNumber: undefined } })

  await database.raw('drop trigger refuses')
  const created = await service.processAccount({ organisation: 'ACME', payload: request })
  t.true(created.ok, JSON.stringify(created))
  if (!created.ok) return
  t.deepEqual(await database('crm_customers').pluck('platform_number'), [created.value.platformAccountNumber])
})

import type { Ports, UseCases } from '@account-import/core'
import { E, makeUseCases } from '@account-import/core/fp'
import { inMemoryPorts } from '@account-import/core/in-memory'
import type { ExecutionContext } from 'ava'
import { answer } from '../support/answers.js'
import { gasAccount } from '../support/samples.js'
import { isPostgresql, testDatabases, type Opened } from './support/databases.js'
import { creationOf, keyOf, stagingOf } from './support/imports.js'

const { onEach, onServers, onMariaDb } = testDatabases()

onEach('a unit of work with a failed operation is not committed, with any result', async (t, { open }) => {
  const { accountImports, accounts, unitOfWork } = open().ports
  await answer(accountImports.stage([stagingOf('A'), stagingOf('C')]))
  await answer(accountImports.create([creationOf('A', 'P-1')]))
  const result = await unitOfWork.run('ACME', async (stores) => {
    await answer(stores.accountImports.stage([stagingOf('B')]))
    await stores.accountImports.create([creationOf('C', 'P-1')])
    return E.right('ignored the failure')
  })
  t.like(result, { _tag: 'Left', left: { _tag: 'PortFailure', kind: 'unexpected' } })
  t.is(await answer(accountImports.find(keyOf('B'))), undefined)
  t.is(await answer(accounts.find(keyOf('C'))), undefined)
})

onMariaDb('a unit of work that meets a deadlock runs again from its beginning', async (t, { open }) => {
  const opened = open()
  const { accountImports, unitOfWork } = opened.ports
  await answer(accountImports.stage([stagingOf('A'), stagingOf('B')]))
  let [runs, held] = [0, 0]
  let bothHoldOne = (): void => undefined
  const whenBothHoldOne = new Promise<void>((resolve) => (bothHoldOne = resolve))
  const stageInOrder = (order: readonly string[]) =>
    unitOfWork.run('ACME', async (stores) => {
      runs += 1
      for (const number of order) {
        const outcome = await stores.accountImports.stage([stagingOf(number, `"${order.join('')}"`)])
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

const opened = (opened: Opened) => {
  const ports = inMemoryPorts(opened.ports)
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

/** The outcome of each: the number of its account, or the tag of its refusal. */
const processed = (useCases: UseCases, accounts: readonly string[]): Promise<readonly string[]> =>
  Promise.all(
    accounts.map(async (number) => {
      const payload = {
        external_account_number: number,
        import_supplier_code: 'LEVANTE',
        operations_team_name: 'Team',
      }
      const done = await useCases.processAccount({ organisation: 'ACME', payload })
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

const all = numbers(12)
const [hindered, others] = ['A-005', all.filter((number) => number !== 'A-005')]

/** Processes twelve accounts of which one cannot be created; returns the facts about that one. */
const processBeside = async (t: ExecutionContext, { ports, useCases }: ReturnType<typeof opened>) => {
  const outcomes = await processed(useCases, all)
  t.deepEqual(
    outcomes.map((outcome) => outcome === 'PortFailure'),
    all.map((number) => number === hindered),
  )
  t.deepEqual(await existing(ports, others), others)
  return answer(ports.accountImports.find(keyOf(hindered)))
}

/** From now on the database refuses to create one account, on PostgreSQL with the error `state`. */
const hinder = async ({ knex }: Opened, signal: string, state: string): Promise<void> => {
  const isHindered = `NEW.external_account_number = '${hindered}' AND NEW.platform_account_number IS NOT NULL`
  const before = 'CREATE TRIGGER hinders BEFORE UPDATE ON account_imports FOR EACH ROW'
  if (isPostgresql(knex)) {
    const body = `BEGIN RAISE EXCEPTION USING ERRCODE = '${state}'; END`
    await knex.raw(`CREATE FUNCTION hinder() RETURNS TRIGGER LANGUAGE plpgsql AS $$ ${body} $$`)
    await knex.raw(`${before} WHEN (${isHindered}) EXECUTE FUNCTION hinder()`)
  } else
    await knex.raw(
      knex.client.dialect === 'sqlite3'
        ? `${before} WHEN ${isHindered} BEGIN SELECT RAISE(ABORT, 'hindered'); END`
        : `${before} IF ${isHindered} THEN ${signal}; END IF`,
    )
}

onEach(
  'an account that the database refuses fails alone and is recorded, and the others are created',
  async (t, { open }) => {
    const database = open()
    const service = opened(database)
    await staged(service.useCases, all)
    await hinder(database, "SIGNAL SQLSTATE '45000'", 'P0001')
    const failed = await processBeside(t, service)
    t.deepEqual(
      [failed?.created, failed?.claim, failed?.attempts, failed?.latestFailure?.code],
      [undefined, undefined, 1, 'error'],
    )
  },
)

onServers(
  'an account whose rows stay locked fails alone, and the others are created',
  async (t, { open }) => {
    const database = open()
    const service = opened(database)
    await staged(service.useCases, all)
    // The error of a server for a caller that has waited for a lock for too long.
    await hinder(database, "SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1205", '55P03')
    const failed = await processBeside(t, service)
    t.is(await answer(service.ports.accounts.find(keyOf(hindered))), undefined)
    t.deepEqual([failed?.claim, failed?.latestFailure?.code], [undefined, 'service_unavailable'])
  },
)

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

import { poolUse } from '@account-import/adapter-sql'
import type { StageOutcome, StorePorts } from '@account-import/core'
import { answer } from '../support/answers.js'
import { type Opened, testDatabases } from './support/databases.js'
import { keyOf, stagingOf } from './support/imports.js'
import { waitingForLocks } from './support/waiting-for-locks.js'

const { onServers, onEach } = testDatabases()

const organisation = 'OTHER'

/** Stages one account by a call of its own. */
const staged = async ({ accountImports }: StorePorts, number: string, of?: string): Promise<StageOutcome> => {
  const staging = stagingOf(number)
  const key = { ...staging.key, ...(of !== undefined && { organisation: of }) }
  const [outcome] = await answer(accountImports.stage([{ ...staging, key }]))
  return outcome as StageOutcome
}

/** Counts the calls that have ended. */
const counted = () => {
  const ended: string[] = []
  const count = (name: string, call: Promise<unknown>): Promise<unknown> =>
    call.finally(() => ended.push(name)).catch(() => undefined)
  return { ended, count }
}

onEach('an organisation is next after a crowd of another that names one account', async (t, { open }) => {
  const { ports } = open()
  const { ended, count } = counted()
  const crowd = Array.from({ length: 60 }, () => count('crowd', staged(ports, 'A')))
  await staged(ports, 'B', organisation)
  t.true(ended.length < 20, `${ended.length} of the crowd came first`)
  await Promise.all(crowd)
  t.is(ended.length, 60)
})

/** Stages one account by a unit of work. */
const stagedInUnit = ({ unitOfWork }: StorePorts, number: string, of: string): Promise<unknown> =>
  answer(
    unitOfWork.run(of, ({ accountImports }) => {
      const staging = stagingOf(number)
      return accountImports.stage([{ ...staging, key: { ...staging.key, organisation: of } }])
    }),
  )

onEach('a unit of work is not behind a crowd of units of another organisation', async (t, { open }) => {
  const { ports } = open({ maxConnections: 1 })
  const { ended, count } = counted()
  const crowd = Array.from({ length: 30 }, () => count('crowd', stagedInUnit(ports, 'A', 'ACME')))
  await stagedInUnit(ports, 'A', organisation)
  t.true(ended.length < 4, `${ended.length} of the crowd came first`)
  await Promise.all(crowd)
  t.is(ended.length, 30)
})

onServers(
  'units of work of one organisation that wait for a locked row leave connections to another',
  async (t, { open }) => {
    const [{ knex, ports }, other] = [open({ maxConnections: 4 }), open()]
    await staged(ports, 'A')
    const holder = await locking(other, ['A'])
    const { ended, count } = counted()
    const crowd = Array.from({ length: 12 }, () => count('crowd', stagedInUnit(ports, 'A', 'ACME')))
    await waitingForLocks(other, 3)
    const { waiting } = poolUse(knex)
    await stagedInUnit(ports, 'B', organisation)
    await staged(ports, 'C', organisation)
    t.deepEqual(ended, [])
    await holder.rollback()
    await Promise.all(crowd)
    t.is(waiting, 0)
    t.is((await answer(ports.accountImports.find(keyOf('A'))))?.stagedVersion, 13)
  },
)

const locking = async ({ knex }: Opened, numbers: readonly string[]) => {
  const holder = await knex.transaction()
  await holder('account_imports')
    .whereIn('external_account_number', [...numbers])
    .forUpdate()
  return holder
}

onServers(
  'three locked rows of an organisation keep no other waiting until they are free',
  async (t, { open }) => {
    const [{ ports }, other] = [open(), open()]
    const locked = ['A', 'B', 'C']
    for (const number of locked) await staged(ports, number)
    const holder = await locking(other, locked)
    const { ended, count } = counted()
    const calls: Promise<unknown>[] = []
    for (const number of locked) {
      calls.push(count(number, staged(ports, number)))
      await waitingForLocks(other, calls.length)
    }
    t.is((await staged(ports, 'D', organisation))._tag, 'created')
    t.deepEqual(ended, [])
    await holder.rollback()
    await Promise.all(calls)
    t.deepEqual(ended.toSorted(), locked)
  },
)

onServers('a locked row delays the others of its batch by one wait, and is the last', async (t, { open }) => {
  const [{ ports }, other] = [open(), open()]
  const numbers = Array.from({ length: 30 }, (_, index) => `N-${index}`)
  for (const number of numbers) await staged(ports, number)
  const holder = await locking(other, ['N-0'])
  const { ended, count } = counted()
  const calls = numbers.map((number) => count(number, staged(ports, number)))
  await Promise.all(calls.slice(1))
  t.false(ended.includes('N-0'))
  t.is(ended.length, 29)
  await holder.rollback()
  await calls[0]
  t.is((await answer(ports.accountImports.find(keyOf('N-0'))))?.stagedVersion, 2)
})

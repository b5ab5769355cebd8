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

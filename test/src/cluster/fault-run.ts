import { createClient, type Client } from '@account-import/client'
import { makeUseCases } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { inspect } from 'node:util'
import { answer } from '../support/answers.js'
import { itemsOf } from '../support/items-of.js'
import { successOf } from '../support/results.js'
import { openSharedDatabase, type SharedDatabase } from '../support/shared-database.js'
import type { Fault, Ground } from './fault.js'
import { damageOf } from './invariants/damage.js'
import { nothing, type Broken } from './invariants/broken.js'
import { checkInvariants, type Asked } from './invariants/check-invariants.js'
import { additions } from './load/additions.js'
import { settle, startLoad, type Works } from './load/load.js'
import { processings } from './load/processings.js'
import { stagings } from './load/stagings.js'
import { makeTally, type Tally } from './load/tally.js'
import type { Caller } from './load/work.js'
import { patiently } from './patiently.js'
import { untilAllSay } from './readiness.js'
import type { FaultRow } from './report/fault-row.js'

/** What came of one run: figures for the report, everything that is wrong, and what of it the database did to its files. */
export type FaultOutcome = Readonly<{
  row: FaultRow
  faults: readonly string[]
  damage: readonly string[]
}>

const busy = ['B-1', 'B-2', 'B-3']

/** A new organisation on the database, whose customers get e-mails. */
const newSupplier = async (databaseUrl: string): Promise<SharedDatabase> => {
  const database = await patiently(() => openSharedDatabase(databaseUrl))
  const { operator } = makeUseCases(inMemoryPorts(database.stores))
  await patiently(() =>
    answer(
      operator.configureSupplier({
        code: database.supplier,
        change: (settings) => ({ ...settings, migrationEmails: true }),
      }),
    ),
  )
  return database
}

/** Accounts that are added to; gives what each was created with. */
const createBusy = async (database: SharedDatabase, client: Client): Promise<readonly string[]> => {
  const { supplier, team, stores, key } = database
  await patiently(() => database.stage(busy))
  for (const number of busy)
    await patiently(async () => {
      const result = await client.processAccount({
        external_account_number: number,
        import_supplier_code: supplier,
        operations_team_name: team,
      })
      if (result.ok || result.code !== 'account_already_imported') successOf(result)
    })
  const account = await patiently(() => answer(stores.accounts.find(key(busy[0] ?? ''))))
  return account === undefined ? [] : itemsOf(account.details)
}

/** As long as no node is broken, each server answers again within this time. */
const mostMilliseconds = 30_000

/** Some stay staged, so that not every import is in the same state. */
const leftStaged = 3

/** The requests of a run, and what is known of them. */
type Requests = Asked & Works & Readonly<{ tally: Tally }>

const makeRequests = (database: SharedDatabase, createdWith: readonly string[]): Requests => {
  const tally = makeTally()
  const staged = new Set<string>()
  const process = processings(database, tally)
  const stage = stagings(database.supplier, tally, (number) => {
    staged.add(number)
    process.staged(number)
  })
  return { tally, stage, process, add: additions(database.supplier, busy, tally), staged, busy, createdWith }
}

/** Lets the fault happen under load; gives how many it were, and what went wrong with it. */
const injectUnderLoad = async (
  ground: Ground,
  fault: Fault,
  callers: readonly Caller[],
  requests: Requests,
): Promise<Readonly<{ injected: number; failures: readonly string[] }>> => {
  const load = startLoad(callers, requests)
  try {
    await requests.tally.allAnswer(callers.length, mostMilliseconds)
    const injected = await fault.inject(ground)
    await untilAllSay(ground.services, 'ready')
    await requests.tally.allAnswer(callers.length, mostMilliseconds)
    return { injected, failures: [] }
  } catch (cause) {
    return { injected: 0, failures: [inspect(cause)] }
  } finally {
    await load.stop()
  }
}

/** Asks again for all that nobody knows of, and processes nearly all that is staged. */
const finish = async (
  callers: readonly Caller[],
  { stage, process, add }: Requests,
): Promise<readonly string[]> => {
  const faults = await settle(callers, [stage.one, process.one, add])
  const processAll = async (caller: Caller): Promise<void> => {
    while (process.waiting().length > leftStaged) await process.one.next(caller)
  }
  await Promise.all(callers.map(processAll))
  return [...faults, ...(await settle(callers, [process.one]))]
}

const checked = async (database: SharedDatabase, client: Client, requests: Requests): Promise<Broken> => {
  try {
    return await patiently(() => checkInvariants(database, client, requests))
  } catch (cause) {
    return { ...nothing, other: [inspect(cause)] }
  }
}

/** Lets the fault happen under load, asks again for what nobody knows of, and checks what is there. */
export const faultRun = async (ground: Ground, fault: Fault, databaseUrl: string): Promise<FaultOutcome> => {
  const database = await newSupplier(databaseUrl)
  try {
    const callers = ground.services.map(({ address }, place): Caller => ({
      client: createClient({ baseUrl: address, apiKey: database.apiKey }),
      place,
    }))
    const client = callers[0]?.client as Client
    const requests = makeRequests(database, await createBusy(database, client))
    const { injected, failures } = await injectUnderLoad(ground, fault, callers, requests)
    const { tally } = requests
    const slowestRecoveryMilliseconds = tally.longestSilence()
    const unsettled = await finish(callers, requests)
    const { lost, doubled, other } = await checked(database, client, requests)
    const figures = { lost: lost.length, doubled: doubled.length, slowestRecoveryMilliseconds }
    const faults = [...failures, ...unsettled, ...tally.faults, ...lost, ...doubled, ...other]
    const damage = faults.length === 0 ? [] : await damageOf(database)
    const row = { fault: fault.name, runs: 1, injected, ...tally.counts, ...figures }
    return { row, faults: [...faults, ...damage], damage }
  } finally {
    await database.close()
  }
}

import { createClient, type Client } from '@account-import/client'
import { makeUseCases } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { setTimeout } from 'node:timers/promises'
import { startServerProcess } from '../../support/server-process.js'
import { openSharedDatabase, type SharedDatabase } from '../../support/shared-database.js'
import { answer } from '../../support/answers.js'
import { breaksFound } from '../../verify/support/breaks-of.js'
import { additionOf, type Addition } from './addition.js'
import { emptyAdditionTally, sendAndNote, startAdditions, type AdditionTally } from './addition-traffic.js'
import { itemsOf } from '../../support/items-of.js'
import { checkItems } from './check-items.js'

/** What came of it. All is well when `faults` is empty. */
export type AdditionsSummary = Readonly<{
  kills: number
  requests: number
  /** Answered, so that the client knew who had added it. */
  acknowledged: number
  /** Added by a server that was killed before its answer arrived. */
  addedUnanswered: number
  /** Requests that a kill cut off. */
  interrupted: number
  seconds: number
  faults: readonly string[]
}>

const clients = 8
const numbers = ['A-0', 'A-1', 'A-2', 'A-3']

type Run = Readonly<{ database: SharedDatabase; tally: AdditionTally; created: readonly string[] }>

const createAccounts = async (database: SharedDatabase): Promise<readonly string[]> => {
  const { processAccount } = makeUseCases(inMemoryPorts(database.stores))
  await database.stage(numbers)
  for (const number of numbers)
    await answer(
      processAccount({
        organisation: database.organisation,
        payload: {
          import_supplier_code: database.supplier,
          external_account_number: number,
          operations_team_name: database.team,
        },
      }),
    )
  const account = await answer(database.stores.accounts.find(database.key('A-0')))
  return account === undefined ? [] : itemsOf(account.details)
}

/** A server, and a client of it that has its token already. */
const startedServer = async ({ environment, apiKey, supplier }: SharedDatabase) => {
  const server = await startServerProcess(environment)
  const client: Client = createClient({ baseUrl: server.address, apiKey })
  await client.transferStatus(supplier, 'none')
  return { server, client }
}

/** Serves, adds, kills at a random moment of a cold or a warm server, and looks into the database. */
const round = async (
  { database, tally, created }: Run,
  next: () => Addition,
  warm: boolean,
): Promise<void> => {
  const { server, client } = await startedServer(database)
  const traffic = startAdditions(tally, next, client, clients)
  if (warm) await traffic.flowing
  await setTimeout(5 + Math.random() * 395)
  await server.kill()
  await traffic.stop()
  tally.faults.push(...(await breaksFound(database.knex)))
  tally.faults.push(...(await checkItems(database, tally, numbers, created)))
}

/** Sends everything that was cut off once more, to a server that lives. */
const finish = async ({ database, tally, created }: Run): Promise<void> => {
  const { server, client } = await startedServer(database)
  try {
    for (let addition = tally.unanswered.shift(); addition !== undefined; addition = tally.unanswered.shift())
      if (!(await sendAndNote(tally, addition, client))) tally.faults.push('a living server did not answer')
    tally.faults.push(...(await checkItems(database, tally, numbers, created)))
  } finally {
    await server.stop()
  }
}

/** Kills the server so many times under clients that add data to accounts, and checks what is left. */
export const additionsCrashRun = async (url: string, kills: number): Promise<AdditionsSummary> => {
  const begun = Date.now()
  const database = await openSharedDatabase(url)
  try {
    const run: Run = { database, tally: emptyAdditionTally(), created: await createAccounts(database) }
    let requests = 0
    const next = (): Addition => {
      const ordinal = requests++
      return additionOf(database.supplier, numbers[(ordinal >> 2) % numbers.length] ?? '', ordinal)
    }
    for (let kill = 0; kill < kills; kill += 1) await round(run, next, kill % 2 === 0)
    await finish(run)
    return {
      kills,
      requests,
      acknowledged: run.tally.acknowledged.length,
      addedUnanswered: run.tally.learned.length,
      interrupted: run.tally.interrupted.size,
      seconds: Math.round((Date.now() - begun) / 1000),
      faults: run.tally.faults,
    }
  } finally {
    await database.close()
  }
}

import { createClient, type Client } from '@account-import/client'
import { instantOf } from '@account-import/core'
import { setTimeout } from 'node:timers/promises'
import { startServerProcess } from '../support/server-process.js'
import { openSharedDatabase, type SharedDatabase } from '../support/shared-database.js'
import { breaksFound } from '../verify/support/breaks-of.js'
import { openClaims } from './open-claims.js'
import { recover } from './recover.js'
import { emptyTally, type Tally } from './tally.js'
import { startTraffic } from './traffic.js'
import { verify } from './verify.js'

/** What came of it. All is well when `faults` is empty. */
export type CrashSummary = Readonly<{
  kills: number
  accounts: number
  /** Answered 201. */
  acknowledged: number
  /** Created by a server that was killed before its answer arrived. */
  createdUnanswered: number
  /** Requests that a kill cut off, by account. */
  interrupted: number
  /** Claims that killed servers left behind, all kills together. */
  claimsLeft: number
  recoveryMilliseconds: number
  seconds: number
  faults: readonly string[]
}>

const clients = 8
const claimSeconds = 1
/** More than a server processes before it is killed. */
const enough = 200

type Run = Readonly<{
  database: SharedDatabase
  tally: Tally
  numbers: string[]
  /** Claims that were seen after a kill. */
  claims: Set<string>
}>

const stageEnough = async ({ database, tally, numbers }: Run): Promise<void> => {
  const fresh = Array.from(
    { length: Math.max(0, enough - tally.waiting.length) },
    (_, index) => `A-${numbers.length + index}`,
  )
  await database.stage(fresh)
  numbers.push(...fresh)
  tally.waiting.unshift(...fresh)
}

/** A server, and a client of it that has its token already. */
const startedServer = async (database: SharedDatabase) => {
  const server = await startServerProcess(database.environment)
  const client = createClient({ baseUrl: server.address, apiKey: database.apiKey })
  await client.transferStatus(database.supplier, 'none')
  return { server, client }
}

/** Serves, processes, kills at a random moment of a cold or a warm server, and looks into the database. */
const round = async (run: Run, warm: boolean): Promise<void> => {
  const { database, tally } = run
  await stageEnough(run)
  const { server, client } = await startedServer(database)
  const traffic = startTraffic(database, client, tally, clients)
  if (warm) await traffic.flowing
  await setTimeout(5 + Math.random() * 395)
  await server.kill()
  await traffic.stop()
  tally.unexpected.push(...(await breaksFound(database.knex)))
  for (const claim of await openClaims(database.knex)) run.claims.add(claim)
}

const finish = async (
  run: Run,
  begun: number,
): Promise<Pick<CrashSummary, 'recoveryMilliseconds' | 'faults'>> => {
  const { database, tally, numbers } = run
  const { server, client }: { server: { stop(): Promise<unknown> }; client: Client } =
    await startedServer(database)
  try {
    const recoveryMilliseconds = await recover(database, client, tally, clients)
    return { recoveryMilliseconds, faults: await verify(database, client, tally, numbers, instantOf(begun)) }
  } finally {
    await server.stop()
  }
}

/** Kills the server so many times under processing clients, and checks what is left. The database is empty before. */
export const crashRun = async (url: string, kills: number): Promise<CrashSummary> => {
  const begun = Date.now()
  const database = await openSharedDatabase(url, { PROCESSING_CLAIM_SECONDS: String(claimSeconds) })
  try {
    const run: Run = { database, tally: emptyTally(), numbers: [], claims: new Set() }
    for (let kill = 0; kill < kills; kill += 1) await round(run, kill % 2 === 0)
    const outcome = await finish(run, begun)
    return {
      kills,
      accounts: run.numbers.length,
      acknowledged: run.tally.acknowledged.size,
      createdUnanswered: run.tally.learned.size,
      interrupted: run.tally.interrupted.size,
      claimsLeft: run.claims.size,
      seconds: Math.round((Date.now() - begun) / 1000),
      ...outcome,
    }
  } finally {
    await database.close()
  }
}

import { inspect } from 'node:util'
import { setTimeout } from 'node:timers/promises'
import type { SharedDatabase } from '../support/shared-database.js'
import type { Fault, Ground } from './faults/on-servers.js'
import { brokenAtTheEnd } from './invariants/broken-invariants.js'
import type { RequestKind } from './loads/requests.js'
import { rowOf, type FaultRow } from './report/fault-row.js'
import { patiently, untilAllSay, type World } from './world/world.js'

/** The result of one run: figures for the report, all violations, and the damage that the database did to its files. */
export type FaultOutcome = Readonly<{
  row: FaultRow
  faults: readonly string[]
  damage: readonly string[]
}>

/** The options of one fault under load. */
export type FaultOptions = Partial<Pick<Ground, 'run' | 'whole'>> &
  Readonly<{
    kinds: readonly RequestKind[]
    clientsEach: number
    /** The time of the load around a fault: 1 in a long run, less in a short one. */
    pace?: number
    /** The number of imports that remain staged, so that the imports have different states. */
    leftStaged?: number
    /** The tables that differ between the nodes of the database. */
    differences?: () => Promise<readonly string[]>
  }>

/** While no node is broken, each server answers again within this time. */
const mostMilliseconds = 30_000

type Row = Readonly<Record<string, string>>

const tablesOf =
  'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY name'

/** InnoDB's message about an index entry without its row. */
const lostRow = /Clustered index record not found/

/**
 * MariaDB's messages about files that have lost a row of an index; no other message counts. No statement can cause them, because
 * each changes a row with all its indexes or not at all. No other database is excused.
 */
const damageOf = async ({ knex, environment }: SharedDatabase): Promise<readonly string[]> => {
  if (environment['DATABASE_URL']?.startsWith('mysql:') !== true) return []
  const [tables] = (await knex.raw(tablesOf)) as readonly [readonly Row[]]
  const names = tables.map(({ name }) => name).join(', ')
  const [said] = (await knex.raw(`CHECK TABLE ${names} EXTENDED`)) as readonly [readonly Row[]]
  if (!said.some((row) => lostRow.test(row['Msg_text'] ?? ''))) return []
  return said.filter((row) => row['Msg_text'] !== 'OK').map((row) => `${row['Table']}: ${row['Msg_text']}`)
}

/** All violations once all requests are answered, and the row of the run. */
export const outcomeOf = async (
  world: World,
  figures: Pick<FaultRow, 'fault' | 'injected' | 'slowestRecoveryMilliseconds'>,
  differences: () => Promise<readonly string[]> = async () => [],
): Promise<FaultOutcome> => {
  const broken = await patiently(() => brokenAtTheEnd(world)).catch((cause: unknown) => [inspect(cause)])
  const faults = [...world.tally.violations, ...broken]
  // A lost database reports nothing of its files either, and the other faults have to run.
  let damage: readonly string[] = []
  try {
    if (faults.length > 0) damage = [...(await damageOf(world.database)), ...(await differences())]
  } catch (cause) {
    faults.push(inspect(cause))
  }
  const row = rowOf({ ...figures, runs: 1, ...world.tally.counts }, faults)
  const logged = faults.length > 0 ? world.services.flatMap((service) => service.failures()) : []
  return { row, faults: [...faults, ...damage, ...logged], damage }
}

/** Injects the fault under load, repeats requests with an unknown outcome, and checks the data. */
export const faultRun = async (
  world: World,
  fault: Fault,
  {
    kinds,
    clientsEach,
    run = 0,
    pace = 1,
    whole = async () => undefined,
    leftStaged = 0,
    differences,
  }: FaultOptions,
): Promise<FaultOutcome> => {
  const { load, services, tally } = world
  const flow = (seconds: number): Promise<void> => setTimeout(seconds * 1000 * pace)
  const running = load.run(kinds, clientsEach)
  let injected = 0
  try {
    await load.allAnswer(mostMilliseconds)
    injected = await fault.inject({ world, run, flow, whole })
    await untilAllSay(services, 'ready')
    await load.allAnswer(mostMilliseconds)
  } catch (cause) {
    tally.violations.push(inspect(cause))
  }
  load.stop()
  await running
  const slowestRecoveryMilliseconds = load.longestSilence()
  await load.finish(leftStaged)
  return outcomeOf(world, { fault: fault.name, injected, slowestRecoveryMilliseconds }, differences)
}

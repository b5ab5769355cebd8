import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { Scenario } from './measure/subject.js'
import { targets as allTargets, type Target } from './servers.js'
import { orders, sizes, verbs, type PayloadKind } from './workload/kinds.js'

/** The parts of a run: requests to servers; validating in this process; the same with hostile bodies. */
const sections = ['requests', 'validation', 'hostile'] as const
const databases = ['mariadb', 'sqlite'] as const

const usualScenarios =
  'validate@64,stage@1,stage@64,stage@256,process@1,process@64,bulk-stage@2,bulk-process@1'
const sqliteScenarios = 'stage@1,stage@8,process@1,process@8'

export const usage = `npm run bench -- [options]
Measures the service beside the least that does the work and beside what a team would build instead. About five minutes.
  --scenarios LIST   what is asked, at how many clients; any of ${verbs.join(', ')}
                     (${usualScenarios};
                     SQLite: ${sqliteScenarios})
  --payloads LIST    accounts of which size: ${sizes.join(', ')} (typical)
  --order ORDER      of their keys: ${orders.join(', ')} (mixed: a third of each)
  --targets LIST     ${allTargets.join(', ')} (all that there are)
  --rounds N         rounds of each target, in turns, 1 to 50 (3)
  --seconds S        length of a round, 0.2 to 600 (2)
  --database NAME    mariadb, durable and private; or sqlite, the service alone (mariadb)
  --server FILE      packages/server/bin/account-import.js of another checkout that is built, measured as base
  --save             writes the table into docs/reference/performance.md as well
  --profile FOLDER   leaves CPU profiles of our server there
  --only SECTION     validation: in this process, beside JSON.parse and Ajv, or hostile: bodies made to be slow,
                     instead of requests
  --json             JSON on stdout instead of a table`

const oneOf = <A extends string>(known: readonly A[], text: string): A => {
  const found = known.find((each) => each === text)
  if (found === undefined) throw new TypeError(`${text} is none of ${known.join(', ')}`)
  return found
}

const numberIn = (text: string, least: number, most: number): number => {
  const value = Number(text)
  if (!(value >= least && value <= most))
    throw new TypeError(`${text} is not a number from ${least} to ${most}`)
  return value
}

const listOf = <A extends string>(known: readonly A[], text: string): readonly A[] =>
  text.split(',').map((part) => oneOf(known, part))

const scenarioOf = (text: string, payload: PayloadKind): Scenario => {
  const [verb = '', clients = ''] = text.split('@')
  return { verb: oneOf(verbs, verb), clients: Math.trunc(numberIn(clients, 1, 1024)), payload }
}

const targetsOf = (text: string | undefined, isSqlite: boolean, hasBase: boolean): readonly Target[] => {
  const available = allTargets.filter(
    (target) => target === 'ours' || (target === 'base' ? hasBase : !isSqlite),
  )
  return text === undefined ? available : listOf(available, text)
}

const parse = (args: readonly string[]) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      scenarios: { type: 'string' },
      payloads: { type: 'string', default: 'typical' },
      order: { type: 'string', default: 'mixed' },
      targets: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '2' },
      database: { type: 'string', default: 'mariadb' },
      server: { type: 'string' },
      save: { type: 'boolean', default: false },
      profile: { type: 'string' },
      only: { type: 'string', default: 'requests' },
      json: { type: 'boolean', default: false },
    },
  })
  const database = oneOf(databases, values.database)
  const isSqlite = database === 'sqlite'
  const scenarios = (values.scenarios ?? (isSqlite ? sqliteScenarios : usualScenarios)).split(',')
  const order = oneOf(orders, values.order)
  return {
    section: oneOf(sections, values.only),
    scenarios: listOf(sizes, values.payloads).flatMap((size) =>
      scenarios.map((scenario) => scenarioOf(scenario, { size, order })),
    ),
    targets: targetsOf(values.targets, isSqlite, values.server !== undefined),
    rounds: Math.trunc(numberIn(values.rounds, 1, 50)),
    seconds: numberIn(values.seconds, 0.2, 600),
    database,
    /** Another build of the server, measured as `base`. */
    server: values.server === undefined ? undefined : pathToFileURL(values.server),
    json: values.json,
    save: values.save,
    profileFolder: values.profile,
  }
}

export type Options = Readonly<ReturnType<typeof parse>>

/** Reads the command line, or says what is wrong with it. */
export const readOptions = (args: readonly string[]): Options | string => {
  try {
    return parse(args)
  } catch (cause) {
    if (cause instanceof TypeError) return cause.message
    throw cause
  }
}

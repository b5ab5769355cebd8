import { pathToFileURL } from 'node:url'
import { WrongOption, type Given } from '@account-import/test/options'
import type { Scenario } from './measure/subject.js'
import { targets as allTargets } from './servers.js'
import { sizes, verbs } from './workload/kinds.js'

/** The parts of a run: requests to servers, or validating in this process. */
const sections = ['requests', 'validation'] as const
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
  --targets LIST     ${allTargets.join(', ')} (all that there are)
  --rounds N         rounds of each target, in turns, 1 to 50 (3)
  --seconds N        length of a round, 1 to 600 (2)
  --database NAME    mariadb, durable and private; or sqlite, the service alone (mariadb)
  --server FILE      packages/server/dist/main.js of another checkout that is built, measured as base
  --save             writes the table into docs/reference/performance.md as well
  --profile FOLDER   leaves CPU profiles of our server there
  --only SECTION     validation: in this process, beside JSON.parse and Ajv, instead of requests`

const scenarioOf = (text: string): Omit<Scenario, 'size'> => {
  const [name, count] = text.split('@')
  const [verb, clients] = [verbs.find((each) => each === name), Number(count)]
  if (verb === undefined || !(Number.isInteger(clients) && clients >= 1 && clients <= 1024))
    throw new WrongOption(`${text} is no scenario such as stage@64`)
  return { verb, clients }
}

export const optionTexts = 'scenarios payloads targets rounds seconds database server profile only'.split(' ')

/** The options of the command line. */
export const optionsOf = (given: Given) => {
  const database = given.word('database', databases)
  const isSqlite = database === 'sqlite'
  const [scenarios, server, profile] = [given.text('scenarios'), given.text('server'), given.text('profile')]
  const payloads = given.text('payloads') === '' ? ['typical' as const] : given.words('payloads', sizes)
  const available = allTargets.filter(
    (target) => target === 'ours' || (target === 'base' ? server !== '' : !isSqlite),
  )
  return {
    section: given.word('only', sections),
    scenarios: payloads.flatMap((size) =>
      (scenarios || (isSqlite ? sqliteScenarios : usualScenarios))
        .split(',')
        .map((text) => ({ ...scenarioOf(text), size })),
    ),
    targets: given.words('targets', available),
    rounds: given.count('rounds', 3, 50),
    seconds: given.count('seconds', 2, 600),
    database,
    /** Another build of the server, measured as `base`. */
    server: server === '' ? undefined : pathToFileURL(server),
    save: given.isGiven('save'),
    profileFolder: profile === '' ? undefined : profile,
  }
}

export type Options = Readonly<ReturnType<typeof optionsOf>>

import { createClient, type Client } from '@account-import/client'
import { randomBytes } from 'node:crypto'
import { outcomeOf, spawnCli, type CliEnvironment, type CliOutcome } from '../support/cli-process.js'
import { startServerProcess, type ServerProcess } from '../support/server-process.js'
import { journeys, type Addressed } from './journeys.js'

/** The program of a version, by its path; absent: this one. */
export type Version = string | undefined

/** What came of it. All is well when `faults` is empty. */
export type UpgradeSummary = Readonly<{
  /** Which version made the tables, and served first. */
  first: 'older' | 'this'
  /** Whether the version that came second could start; with what it said where it could not. */
  second: string
  accounts: number
  faults: readonly string[]
}>

const run = (args: readonly string[], environment: CliEnvironment, version: Version): Promise<CliOutcome> =>
  outcomeOf(spawnCli(args, environment, version))

const made = async (
  args: readonly string[],
  environment: CliEnvironment,
  version: Version,
): Promise<Readonly<Record<string, unknown>>> => {
  const { code, stdout, stderr } = await run([...args, '--json'], environment, version)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>
}

/** Tables, registers and a key, made by the commands of a version. */
const setUp = async (environment: CliEnvironment, version: Version): Promise<Addressed> => {
  const make = (...args: readonly string[]) => made(args, environment, version)
  await make('migrate')
  await make('organisation', 'create', 'ORG')
  await make('supplier', 'create', 'SUP', '--organisation', 'ORG')
  await make('team', 'create', 'Team')
  const { api_key: apiKey } = await make('api-key', 'create', '--organisation', 'ORG')
  return { supplier: 'SUP', team: 'Team', apiKey: String(apiKey) }
}

const clientOf = ({ address }: ServerProcess, { apiKey }: Addressed): Client =>
  createClient({ baseUrl: address, apiKey })

/** The second version comes while the first one serves, both serve, and the first one goes. */
const sideBySide = async (
  environment: CliEnvironment,
  addressed: Addressed,
  versions: readonly [first: Version, second: Version],
): Promise<Readonly<{ second: string; accounts: number; faults: readonly string[] }>> => {
  const servers: ServerProcess[] = []
  const faults: string[] = []
  let accounts = 0
  const serve = async (clients: readonly Client[]): Promise<void> => {
    const count = 24
    faults.push(...(await journeys(clients, addressed, accounts, count)))
    accounts += count
  }
  try {
    const first = await startServerProcess(environment, versions[0])
    servers.push(first)
    await serve([clientOf(first, addressed)])
    if (versions[1] === undefined) await made(['migrate'], environment, undefined)
    // It does not know the tables that it finds now.
    await serve([clientOf(first, addressed)])
    const begun = await startServerProcess(environment, versions[1]).then(
      (server) => server,
      (cause: unknown) => String(cause),
    )
    if (typeof begun === 'string') return { second: begun.trim(), accounts, faults }
    servers.push(begun)
    await serve([clientOf(first, addressed), clientOf(begun, addressed)])
    if ((await first.stop()) !== 0) faults.push('the first version did not end with 0')
    await serve([clientOf(begun, addressed)])
    return { second: 'served', accounts, faults }
  } finally {
    for (const server of servers) await server.stop()
  }
}

const verified = async (environment: CliEnvironment): Promise<readonly string[]> => {
  const { code, stdout, stderr } = await run(['verify'], environment, undefined)
  return code === 0 ? [] : [`verify ended with ${code}: ${stdout}${stderr}`]
}

/** Servers of two versions on one empty database, one after the other and side by side. */
export const upgradeRun = async (
  url: string,
  dataDir: string,
  first: UpgradeSummary['first'],
  older: Version,
): Promise<UpgradeSummary> => {
  const environment = {
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    TOKEN_SIGNING_KEY: randomBytes(32).toString('base64'),
  }
  const versions = first === 'older' ? ([older, undefined] as const) : ([undefined, older] as const)
  const addressed = await setUp(environment, versions[0])
  const { faults, ...outcome } = await sideBySide(environment, addressed, versions)
  return { first, ...outcome, faults: [...faults, ...(await verified(environment))] }
}

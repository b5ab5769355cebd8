import { setTimeout } from 'node:timers/promises'
import { freePort, until } from '../../servers/index.js'
import type { CliEnvironment } from '../../support/cli-process.js'
import { startServerProcess } from '../../support/server-process.js'
import { createClient, type Client } from '@account-import/client'
import type { Ports, SupplierSettings } from '@account-import/core'
import { makeUseCases } from '@account-import/core/fp'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { answer } from '../../support/answers.js'
import { successOf } from '../../support/results.js'
import { gasAccount } from '../../support/samples.js'
import { openSharedDatabase, type SharedDatabase } from '../../support/shared-database.js'
import { makeLoad, type Load } from '../loads/load.js'
import { makeRequests, type Requests } from '../loads/requests.js'
import { emptyTally, type Tally } from '../loads/tally.js'
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js'

/** A server process of ours that has the same address after a restart. */
export type Service = Readonly<{
  address: string
  start(): Promise<void>
  kill(): Promise<void>
  /** Stops it as an operator would, after the requests in flight. */
  stop(): Promise<void>
  /** The entries of its log with a failure, which tell the cause of each 500, also from before a restart. */
  failures(): readonly string[]
}>

const startService = async (environment: CliEnvironment): Promise<Service> => {
  const PORT = String(await freePort())
  let running = await startServerProcess({ ...environment, PORT })
  const all = [running]
  return {
    address: running.address,
    start: async () => void all.push((running = await startServerProcess({ ...environment, PORT }))),
    kill: () => running.kill(),
    stop: async () => void (await running.stop()),
    failures: () => all.flatMap((each) => each.failures()),
  }
}

/** Resolves when the `/readyz` of each server in turn responds with `wanted`: `ready`, or a code of the database. */
export const untilAllSay = async (
  services: readonly Service[],
  wanted: string,
  mostMilliseconds = 30_000,
): Promise<void> => {
  for (const { address } of services) {
    let said = ''
    const says = async (): Promise<boolean> => {
      const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(10_000) })
      const { checks } = (await answer.json()) as { checks: { database: { code?: string } } }
      said = answer.status === 200 ? 'ready' : String(checks.database.code)
      return said === wanted
    }
    try {
      await until(says, `/readyz says ${wanted}`, mostMilliseconds)
    } catch (cause) {
      throw new Error(`/readyz of ${address} said ${said} in the end, not ${wanted}`, { cause })
    }
  }
}

/**
 * Runs work that needs all nodes, again after each failure: on a busy machine a node that does not respond for seconds leaves its
 * cluster, and returns. Throws a failure that lasts longer than a minute.
 */
export const patiently = async <A>(work: () => Promise<A>): Promise<A> => {
  const begun = performance.now()
  for (;;)
    try {
      return await work()
    } catch (cause) {
      if (performance.now() - begun > 60_000) throw cause
      await setTimeout(200)
    }
}

/** Our servers on an empty database, their clients, and the requests and responses of these. */
export type World = Readonly<{
  ports: Ports
  tally: Tally
  database: SharedDatabase
  services: readonly Service[]
  /** One for each server. */
  clients: readonly Client[]
  requests: Requests
  load: Load
  /** Stages a number of accounts without a request, to be processed. */
  stageDirectly(count: number): Promise<void>
  /** A proxy between the first server and its database, or its clients, where the options require it. */
  proxy: TcpProxy | undefined
}>

/** The place of the proxy: between server and database, or between client and server. */
export type Place = 'database' | 'client'

export type WorldOptions = Readonly<{
  settings?: CliEnvironment
  /** A proxy before the database or the server, with the milliseconds that each piece takes. */
  wire?: Readonly<{ place: Place; delay?: number }>
  /** Whether 503 is allowed, because the database may be unreachable. */
  mayBeAway?: boolean
  /** Accounts that are created first, for additions. */
  busy?: number
}>

type Ending = () => Promise<unknown>

/** Servers, each on its address of the database, and their addresses for clients. */
const startServices = async (
  urls: readonly string[],
  environment: CliEnvironment,
  wire: WorldOptions['wire'],
  endings: Ending[],
) => {
  let proxy: TcpProxy | undefined
  const through = async (place: Place, address: string): Promise<string> => {
    if (wire?.place !== place) return address
    const there = new URL(address)
    const before = await startTcpProxy(Number(there.port), wire.delay)
    proxy = before
    endings.push(() => before.stop())
    there.port = String(before.port)
    return there.href.replace(/\/$/, '')
  }
  const services: Service[] = []
  const addresses: string[] = []
  for (const url of urls) {
    const DATABASE_URL = await through('database', url)
    const service = await startService({ ...environment, DATABASE_URL })
    endings.push(() => service.stop())
    services.push(service)
    addresses.push(await through('client', service.address))
  }
  return { services, addresses, proxy }
}

/** A new organisation on the database, whose customers get e-mails. */
const openDatabase = async (url: string, settings: CliEnvironment): Promise<SharedDatabase> => {
  const database = await patiently(() =>
    openSharedDatabase(url, { PROCESSING_CLAIM_SECONDS: '1', ...settings }),
  )
  const { operator } = makeUseCases(inMemoryPorts(database.stores))
  const change = (saved: SupplierSettings) => ({ ...saved, migrationEmails: true })
  await patiently(() => answer(operator.configureSupplier({ code: database.supplier, change })))
  return database
}

const createBusy = async (
  { supplier, team, stage, key }: SharedDatabase,
  tally: Tally,
  client: Client,
  busy: readonly string[],
): Promise<void> => {
  for (const number of busy) tally.stage(key(number), gasAccount(supplier, number))
  if (busy.length > 0) await patiently(() => stage(busy))
  for (const external_account_number of busy)
    await patiently(async () => {
      const names = { import_supplier_code: supplier, operations_team_name: team }
      const result = await client.processAccount({ ...names, external_account_number })
      if (result.ok || result.code !== 'account_already_imported') successOf(result)
    })
}

/** Runs work in a world with a server for each address of an empty database; the world ends with the work. */
export const inWorld = async <A>(
  urls: readonly string[],
  { settings = {}, wire, mayBeAway = false, busy: many = 0 }: WorldOptions,
  work: (world: World) => Promise<A>,
): Promise<A> => {
  const endings: Ending[] = []
  try {
    const database = await openDatabase(urls[0] ?? '', settings)
    endings.push(() => database.close())
    const { services, addresses, proxy } = await startServices(urls, database.environment, wire, endings)
    const clients = addresses.map((baseUrl) => createClient({ baseUrl, apiKey: database.apiKey }))
    // Each gets its token before the first fault.
    for (const client of clients) await client.transferStatus(database.supplier, 'none')
    const { key } = database
    const busy = Array.from({ length: many }, (_, index) => `B-${index}`)
    const tally = emptyTally()
    await createBusy(database, tally, clients[0] as Client, busy)
    const requests = makeRequests({ setUp: database, key, tally, mayBeAway, busy })
    const stageDirectly = async (count: number): Promise<void> => {
      const numbers = Array.from({ length: count }, () => requests.nextAccount().number)
      await database.stage(numbers)
      for (const number of numbers) tally.staged(key(number))
      requests.waiting.unshift(...numbers)
    }
    const load = makeLoad(clients, requests, tally)
    const ports = inMemoryPorts(database.stores)
    return await work({ ports, tally, database, services, clients, requests, load, stageDirectly, proxy })
  } finally {
    for (const end of endings.toReversed()) await end()
  }
}

import { fork, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectSql, migrate } from '@account-import/adapter-sql'
import { E, type Either } from '@account-import/core/fp'
import type * as server from '@account-import/server'
import { startChild, stopChild } from './children/children.js'
import { jobRunner, type RunJob } from './load/jobs.js'
import { names, type Verb } from './workload/kinds.js'

/**
 * The targets: this build, another build of the service, the floor (the least that does the work, by hand), and the
 * peer (what a team would build with Fastify, Ajv and mysql2).
 */
export const targets = ['ours', 'base', 'floor', 'fastify'] as const
export type Target = (typeof targets)[number]

/** A server under measurement, with an empty database of its own. */
export type System = Readonly<{
  target: Target
  port: number
  /** The authorisation of its requests. */
  token: string
  pid: number
  /** Empty: SQLite in a folder of its own. */
  databaseUrl: string
  /** Its work without HTTP. */
  drives?: Readonly<{ verbs: readonly Verb[]; run: RunJob }>
  stop(): Promise<void>
}>

/** Connections to the database: ours has what it has by default, floor and peer what serves them best at many clients. */
const poolSizes = { ours: '16', others: '32' } as const

/** Starts the hand-written server; accounts go to the same tables as the service's. */
export const startFloor = async (databaseUrl: string): Promise<System> => {
  const knex = connectSql(databaseUrl)
  try {
    await migrate(knex)
  } finally {
    await knex.destroy()
  }
  const settings = { BENCH_DATABASE_URL: databaseUrl, BENCH_POOL: poolSizes.others }
  const { child, port, pid } = await startChild(new URL('./floor/main.js', import.meta.url), settings)
  const drives = { verbs: ['process', 'bulk-stage'], run: jobRunner(child) } as const
  return { target: 'floor', port, token: '', pid, databaseUrl, drives, stop: () => stopChild(child) }
}

export const startPeer = async (databaseUrl: string): Promise<System> => {
  const settings = { BENCH_DATABASE_URL: databaseUrl, BENCH_POOL: poolSizes.others }
  const { child, port, pid, token = '' } = await startChild(new URL('./peer.js', import.meta.url), settings)
  return { target: 'fastify', port, token, pid, databaseUrl, stop: () => stopChild(child) }
}

const rightOf = <A>(result: Either<unknown, A>): A => {
  if (E.isLeft(result)) throw new Error(`Set-up was refused: ${JSON.stringify(result.left)}`)
  return result.right
}

/** Migrates the database by a build and makes what an operator makes once; answers the API key. */
const setUpOperator = async (main: URL, environment: server.Environment): Promise<string> => {
  const build = (await import(new URL('./index.js', main).href)) as typeof server
  const service = await build.openService(rightOf(build.readConfig(environment, 'operate')), {
    migrate: true,
  })
  try {
    const { operator } = service.useCases
    rightOf(await operator.createOrganisation({ code: names.organisation }))
    rightOf(await operator.createSupplier({ code: names.supplier, organisation: names.organisation }))
    rightOf(await operator.createTeam(names.team))
    return rightOf(await operator.createApiKey({ organisation: names.organisation })).apiKey
  } finally {
    await service.close()
  }
}

type TokenAnswer = Readonly<{ data?: Readonly<{ obtainToken?: Readonly<{ token: string }> }> }>

const obtainToken = async (address: string, apiKey: string): Promise<string> => {
  const query = 'mutation ($input: ObtainTokenInput!) { obtainToken(input: $input) { token } }'
  const response = await fetch(`${address}/v1/graphql/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables: { input: { apiKey } } }),
  })
  const token = ((await response.json()) as TokenAnswer).data?.obtainToken?.token
  if (token === undefined) throw new Error('The server gave no token')
  return token
}

export type OursOptions = Readonly<{
  /** Another build's `packages/server/dist/main.js`; without it, this build. */
  main?: URL | undefined
  /** For the log, and whatever else the server keeps. */
  folder: string
  /** Empty: SQLite in the folder. */
  databaseUrl: string
  /** Where its CPU profile goes when it ends. */
  profileFolder?: string | undefined
}>

const ownMain = new URL('./main.js', import.meta.resolve('@account-import/server'))
const endWithParent = new URL('./children/end-with-parent.js', import.meta.url)

const spawnServer = (main: URL, environment: NodeJS.ProcessEnv, options: OursOptions): ChildProcess => {
  const { folder, profileFolder } = options
  const log = openSync(join(folder, 'server.log'), 'a')
  const child = fork(main, ['serve', '--migrate', '--json'], {
    env: environment,
    execArgv: [
      ...(profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`]),
      '--import',
      endWithParent.href,
    ],
    stdio: ['ignore', 'pipe', log, 'ipc'],
  })
  closeSync(log)
  return child
}

const announcedAddress = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (!text.includes('\n')) return
      const { address } = JSON.parse(text) as { address?: string }
      if (address === undefined) reject(new Error(`The server refused to start: ${text}`))
      else resolve(address)
    })
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}`)))
  })

/** In production there have to be vendors, or none by a word that older builds do not know: nothing here names this one. */
const vendors = [
  {
    code: 'NOBODY',
    kind: 'http-json',
    url: 'https://vendor.invalid/{reference}',
    usable: { path: 'status', in: ['active'] },
  },
]

/** Starts the bundled server as it is run in production, of this build or of another one. */
export const startOurs = async (options: OursOptions): Promise<System> => {
  const { folder, databaseUrl, main = ownMain } = options
  const [data, vendorsFile] = [join(folder, 'data'), join(folder, 'vendors.json')]
  await mkdir(data)
  await writeFile(vendorsFile, JSON.stringify({ vendors }))
  const environment = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: data,
    DATABASE_URL: databaseUrl === '' ? `sqlite:${join(data, 'account-import.sqlite')}` : databaseUrl,
    DATABASE_POOL: poolSizes.ours,
    TOKEN_SIGNING_KEY: randomBytes(32).toString('base64'),
    AUDIT_KEY: randomBytes(32).toString('base64'),
    METRICS: 'off',
    NODE_ENV: 'production',
    PAYMENT_VENDORS: vendorsFile,
    LOG_LEVEL: 'info',
  }
  const apiKey = await setUpOperator(main, environment)
  const child = spawnServer(main, environment, options)
  const address = await announcedAddress(child)
  return {
    target: options.main === undefined ? 'ours' : 'base',
    port: Number(new URL(address).port),
    token: await obtainToken(address, apiKey),
    pid: child.pid ?? -1,
    databaseUrl,
    stop: () => stopChild(child),
  }
}

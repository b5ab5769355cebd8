import { fork, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { obtainToken } from './obtain-token.js'
import { setUpOperator, type ServerPackage } from './set-up-operator.js'
import { stopChild } from '../children/stop-child.js'
import { poolSizes, type System } from './system.js'

export type OursOptions = Readonly<{
  /** Another build's `packages/server/dist/main.js`; without it, this build. */
  main?: URL | undefined
  /** For the log, and whatever else the server keeps. */
  folder: string
  /** Empty: SQLite in the folder. */
  databaseUrl: string
  /** Modules that are loaded into it first. */
  imports?: readonly string[]
  /** Where its CPU profile goes when it ends. */
  profileFolder?: string | undefined
}>

const ownMain = new URL('./main.js', import.meta.resolve('@account-import/server'))
const endWithParent = new URL('../children/end-with-parent.js', import.meta.url).href

const spawnServer = (main: URL, environment: NodeJS.ProcessEnv, options: OursOptions): ChildProcess => {
  const log = openSync(join(options.folder, 'server.log'), 'a')
  const profile =
    options.profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profileFolder}`]
  const child = fork(main, ['serve', '--migrate', '--json'], {
    env: environment,
    execArgv: [
      ...profile,
      ...[endWithParent, ...(options.imports ?? [])].flatMap((url) => ['--import', url]),
    ],
    stdio: ['ignore', 'pipe', log, 'ipc'],
  })
  closeSync(log)
  return child
}

/** The first line that it prints once it serves. */
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

/** A vendor whom nothing here names: in production there have to be some, or none by a word that older builds do not know. */
const vendorsFile = async (folder: string): Promise<string> => {
  const path = join(folder, 'vendors.json')
  const vendor = { code: 'NOBODY', kind: 'http-json', url: 'https://vendor.invalid/{reference}' }
  const usable = { path: 'status', in: ['active'] }
  await writeFile(path, JSON.stringify({ vendors: [{ ...vendor, usable }] }))
  return path
}

/** Starts the bundled server as it is run in production, of this build or of another one. */
export const startOurs = async (
  options: OursOptions,
): Promise<System & Readonly<{ child: ChildProcess }>> => {
  const environment = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: join(options.folder, 'data'),
    DATABASE_URL: options.databaseUrl,
    DATABASE_POOL: String(poolSizes.ours),
    TOKEN_SIGNING_KEY: randomBytes(32).toString('base64'),
    AUDIT_KEY: randomBytes(32).toString('base64'),
    METRICS: 'off',
    NODE_ENV: 'production',
    PAYMENT_VENDORS: await vendorsFile(options.folder),
    LOG_LEVEL: 'info',
  }
  const main = options.main ?? ownMain
  const build = (await import(new URL('./index.js', main).href)) as ServerPackage
  const apiKey = await setUpOperator(build, environment)
  const child = spawnServer(main, environment, options)
  const address = await announcedAddress(child)
  return {
    target: options.main === undefined ? 'ours' : 'base',
    port: Number(new URL(address).port),
    token: await obtainToken(address, apiKey),
    pid: child.pid ?? -1,
    databaseUrl: options.databaseUrl,
    child,
    stop: () => stopChild(child),
  }
}

import { fork, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { obtainToken } from './obtain-token.js'
import { setUpOperator } from './set-up-operator.js'
import { stopChild } from './stop-child.js'
import { poolSize, type System } from './system.js'

export type OursOptions = Readonly<{
  /** For the log, and whatever else the server keeps. */
  folder: string
  /** Empty: SQLite in the folder. */
  databaseUrl: string
  /** Modules that are loaded into it first. */
  imports?: readonly string[]
  /** Where its CPU profile goes when it ends. */
  profileFolder?: string | undefined
}>

const main = new URL('./main.js', import.meta.resolve('@account-import/server'))
const endWithParent = new URL('./end-with-parent.js', import.meta.url).href

const spawnServer = (environment: NodeJS.ProcessEnv, options: OursOptions): ChildProcess => {
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

/** Starts the bundled server as it is run in production. */
export const startOurs = async (
  options: OursOptions,
): Promise<System & Readonly<{ child: ChildProcess }>> => {
  const environment = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: join(options.folder, 'data'),
    DATABASE_URL: options.databaseUrl,
    DATABASE_POOL: String(poolSize),
    TOKEN_SIGNING_KEY: randomBytes(32).toString('base64'),
    NODE_ENV: 'production',
    LOG_LEVEL: 'info',
  }
  const apiKey = await setUpOperator(environment)
  const child = spawnServer(environment, options)
  const address = await announcedAddress(child)
  return {
    name: 'ours',
    port: Number(new URL(address).port),
    token: await obtainToken(address, apiKey),
    pid: child.pid ?? -1,
    databaseUrl: options.databaseUrl,
    child,
    stop: () => stopChild(child),
  }
}

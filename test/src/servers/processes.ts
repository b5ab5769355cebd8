import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { RowDataPacket } from 'mysql2'

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Where a program is: in the search path, or where distributions keep servers. Undefined when it is not there. */
export const findExecutable = (name: string): string | undefined =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/usr/libexec']
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable)

/** `none`: `npm test`, which starts no database server. `only`: `npm run test:servers`, which leaves out tests that need none. */
const chosen = process.env['TEST_SERVERS']

/** Whether tests on database servers run. */
export const testsServers = chosen !== 'none'

/** Whether tests without a database server run. */
export const testsWithoutServers = chosen !== 'only'

/**
 * Whether tests have their programs. With REQUIRE_SERVERS=1 a missing one is an error, `absence`; without it, AVA's configuration
 * prints once for all test files which tests are left out.
 */
export const isAvailable = (isThere: boolean, absence: string): boolean => {
  if (!isThere && process.env['REQUIRE_SERVERS'] === '1')
    throw new Error(`${absence}, and REQUIRE_SERVERS=1 asks for it`)
  return isThere
}

export const chromiumProgram = (): string | undefined => findExecutable('chromium')

export const chromiumAvailable = (): boolean =>
  isAvailable(chromiumProgram() !== undefined, 'Chromium is not installed')

export const nginxAvailable = (): boolean =>
  isAvailable(findExecutable('nginx') !== undefined, 'nginx is not installed')

export const pythonAvailable = (): boolean =>
  isAvailable(findExecutable('python3') !== undefined, 'Python is not installed')

/** Runs a command to its end; rejects with the end of its output when it fails. */
export const runCommand = (
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const collect = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-4000)
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ended with code ${code}:\n${output}`)),
    )
  })

/**
 * Runs the script when this process ends without its own clean-up, in any way: a small process waits for the end of the pipe to
 * this one. The result cancels the guard.
 */
const runAtExit = (script: string, ...args: readonly string[]): (() => void) => {
  const watcher = spawn('/bin/sh', ['-c', `cat >/dev/null; ${script}`, 'guard', ...args], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // a signal to the group of this process must not end it
  })
  watcher.unref()
  return () => void watcher.kill('SIGKILL')
}

/** No file system outlives this process and those that work on it. */
export const guardMount = (folder: string): (() => void) =>
  runAtExit('sleep 0.5; umount -l "$1"; rmdir "$1"', folder)

export type ServerChild = Readonly<{ child: ChildProcess; dismissGuard: () => void }>

/** The server does not outlive this process: it is killed then, and its folder removed. */
export const guarded = (child: ChildProcess, folder: string): ServerChild => ({
  child,
  dismissGuard: runAtExit(
    'kill -9 "$1" 2>/dev/null; sleep 0.2; rm -rf "$2"',
    String(child.pid ?? -1),
    folder,
  ),
})

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null

/** Ends a server; resolves when its process has ended. */
export const endServer = async (
  { child, dismissGuard }: ServerChild,
  signal: NodeJS.Signals,
): Promise<void> => {
  if (!hasEnded(child)) {
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  dismissGuard()
}

/** A database server of a cluster, and the faults that it can have. */
export type ClusterNode = Readonly<{
  name: string
  /** Starts it on its data, as the first of a new cluster or joining the others; resolves when it belongs to it. */
  start(isFirst?: boolean): Promise<void>
  kill(): Promise<void>
  end(): Promise<void>
  /** Lets it stand still, keeping its connections. */
  pause(): void
  resume(): void
  /** Disconnects it from the other nodes, not from its clients; and connects it again. */
  isolate(): Promise<void>
  rejoin(): Promise<void>
  /** Makes it the one that others join, after the majority was lost. */
  goOnAlone(): Promise<void>
  /** Sends a query as the user with all rights. */
  query(sql: string): Promise<readonly RowDataPacket[]>
}>

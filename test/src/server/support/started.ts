import {
  readConfig,
  startServer,
  type RunningServer,
  type ServerConfig,
  type StartOptions,
} from '@account-import/server'
import type { ExecutionContext } from 'ava'
import { pino } from 'pino'
import { tempFolder } from '../../support/temp-folder.js'

type Environment = Readonly<Record<string, string>>

/** The configuration of a server on a free port, which has to be right. */
export const configOf = (environment: Environment): ServerConfig => {
  const read = readConfig({ PORT: '0', LOG_LEVEL: 'silent', ...environment }, 'serve')
  if (read._tag === 'Left') throw new Error(read.left.map(({ detail }) => detail).join())
  return read.right
}

/** A server in the process of the test, and its log so far. */
export type Started = RunningServer & Readonly<{ entries: readonly Readonly<Record<string, unknown>>[] }>

/** Serves the embedded default in a folder of its own, unless the environment sets another, until the test ends. */
export const started = async (
  t: ExecutionContext,
  environment: Environment = {},
  options: StartOptions = {},
): Promise<Started> => {
  const config = configOf({ DATA_DIR: await tempFolder(t), ...environment })
  const entries: Record<string, unknown>[] = []
  const write = (line: string): unknown => entries.push(JSON.parse(line) as Record<string, unknown>)
  const server = await startServer(config, { log: pino({ messageKey: 'message' }, { write }), ...options })
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => (stopped ??= server.stop())
  t.teardown(stop)
  return { ...server, stop, entries }
}

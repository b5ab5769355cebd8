import { join, resolve } from 'node:path'
import { E, type Either } from '@account-import/core'
import type { DatabaseUrl } from './codecs/database-url.js'
import type { ConfigFault } from './config-fault.js'
import type { ServerConfig } from './server-config.js'
import { readVariable, type Environment, type Variable } from './variable.js'
import { variables } from './variables.js'

/** Operator commands make no tokens, so they need no signing key. */
export type Purpose = 'serve' | 'operate'

type Decoded<V> = V extends Variable<infer A> ? A : never
type Values = { -readonly [K in keyof typeof variables]: Decoded<(typeof variables)[K]> }

const databaseIn = (dataDir: string): DatabaseUrl => ({
  kind: 'embedded',
  url: `sqlite:${join(dataDir, 'account-import.sqlite')}`,
})

const toConfig = ({ nodeEnv, dataDir, database, documentStorage, ...values }: Values): ServerConfig => {
  const folder = resolve(dataDir)
  return {
    ...values,
    dataDir: folder,
    database: database ?? databaseIn(folder),
    documentStorage: documentStorage ?? { kind: 'folder', path: join(folder, 'documents') },
    production: nodeEnv === 'production',
  }
}

const missingKey: ConfigFault = {
  variable: 'TOKEN_SIGNING_KEY',
  problem:
    'is required when DATABASE_URL names a database server, so that all instances accept the same tokens.' +
    ' Make one with: openssl rand -base64 32',
}

/** Reads the whole configuration; Left: every fault of it at once. Variables that it does not know are left alone. */
export const readConfig = (
  environment: Environment,
  purpose: Purpose,
): Either<readonly ConfigFault[], ServerConfig> => {
  const faults: ConfigFault[] = []
  const values: Partial<Record<keyof Values, unknown>> = {}
  for (const [key, variable] of Object.entries(variables) as [keyof Values, Variable<unknown>][]) {
    const read = readVariable(variable, environment)
    if (read._tag === 'Left') faults.push(read.left)
    else values[key] = read.right
  }
  const { database, signingKey } = values as Values
  const given = (environment['TOKEN_SIGNING_KEY'] ?? '').trim() !== ''
  if (purpose === 'serve' && database?.kind === 'server' && signingKey === undefined && !given)
    faults.push(missingKey)
  return faults.length > 0 ? E.left(faults) : E.right(toConfig(values as Values))
}

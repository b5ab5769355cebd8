import { connectSql, createSqlPorts, migrate } from '@account-import/adapter-sql'
import type { AccountKey, StorePorts } from '@account-import/core'
import { makeUseCases } from '@account-import/core/fp'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { randomBytes } from 'node:crypto'
import { gasAccount } from './samples.js'
import { setUp, type SetUp } from './set-up.js'
import { answer } from './answers.js'
import type { CliEnvironment } from './cli-process.js'

type Knex = ReturnType<typeof connectSql>

/** A database that server processes share, looked into from here by connections of our own. */
export type SharedDatabase = SetUp &
  Readonly<{
    knex: Knex
    stores: StorePorts
    /** For a server process: this database, and one signing key and one key of the record for all of them. */
    environment: CliEnvironment
    key(externalAccountNumber: string): AccountKey
    /** Stages the gas sample under these numbers, as the API would. */
    stage(numbers: readonly string[]): Promise<void>
    close(): Promise<void>
  }>

/** Opens an empty database, migrates it, and makes an organisation with a supplier, a team and a key. */
export const openSharedDatabase = async (
  url: string,
  settings: CliEnvironment = {},
): Promise<SharedDatabase> => {
  const knex = connectSql(url)
  const auditKey = randomBytes(32).toString('base64')
  const stores = createSqlPorts(knex, { auditKeys: [auditKey] })
  const ports = inMemoryPorts(stores)
  const made = await migrate(knex)
    .then(() => setUp(makeUseCases(ports).operator))
    .catch(async (cause: unknown) => {
      await knex.destroy()
      throw cause
    })
  const key = (externalAccountNumber: string): AccountKey => ({
    organisation: made.organisation,
    importSupplier: made.supplier,
    externalAccountNumber,
  })
  const stage = async (numbers: readonly string[]): Promise<void> => {
    const stagings = numbers.map((number) => ({
      key: key(number),
      payload: JSON.stringify(gasAccount(made.supplier, number)),
      at: ports.clock.now(),
    }))
    await answer(stores.accountImports.stage(stagings))
  }
  const signingKey = randomBytes(32).toString('base64')
  return {
    ...made,
    knex,
    stores,
    environment: { DATABASE_URL: url, TOKEN_SIGNING_KEY: signingKey, AUDIT_KEY: auditKey, ...settings },
    key,
    stage,
    close: () => knex.destroy(),
  }
}

import type { SigningKey } from '@account-import/adapter-access-tokens'
import { poolUse, type PoolUse, writeProbe } from '@account-import/adapter-sql'
import type { MarketPack, UseCases } from '@account-import/core'
import type { ContainerModule } from 'inversify'
import type { ServerConfig } from '../config/read-config.js'
import { type ContainerOptions, createContainer } from '../container/create-container.js'
import { longBodiesId, portIds, useCasesId } from '../container/port-ids.js'
import { databaseId, keyRingId } from '../container/sql-module.js'
import { type OnHealthChange, serviceHealth } from '../health/service-health.js'
import type { LongBodies } from '../long-bodies/long-bodies.js'
import { StartError } from '../start-error.js'
import { ensureDataFolder, requireData } from './data-folder.js'
import { prepareDatabase, prepareEncryption, recordMigration } from './database.js'
import { auditKeysFor } from './keys.js'

export type ServiceOptions = ContainerOptions &
  Readonly<{
    /** Absent: no token is issued or accepted. */
    signingKey?: SigningKey
    /** Whether to run pending migrations of a database server. The embedded default is always migrated. */
    migrate?: boolean
    /** Refuses an embedded default that does not exist yet, instead of creating it. */
    onlyExisting?: true
    /** Loaded after the bundled modules, to rebind ports. */
    modules?: readonly ContainerModule[]
    /** Called by a health check that finds a changed state of a component. */
    onHealthChange?: OnHealthChange
  }>

/** The use cases over an open database. */
export type Service = Readonly<{
  useCases: UseCases
  /** The markets that suppliers may name, from the bound settings. */
  markets: readonly MarketPack[]
  /** Reads long bodies in a thread; undefined where the markets are not the bundled ones. */
  longBodies: LongBodies | undefined
  /** The used and free connections of this process to the database. */
  databasePool(): PoolUse
  close(): Promise<void>
}> &
  ReturnType<typeof serviceHealth>

/** The place of documents, for people, without endpoint and keys. */
const placeOf = ({ documentStorage: storage }: ServerConfig): string =>
  storage.kind === 'folder' ? `the document folder ${storage.path}` : `the bucket ${storage.bucket}`

const notSynchronous =
  'A module, or what it binds, is asynchronous. Await the value before you make the module, and bind it by toConstantValue.'

/** Inversify reports a module that is asynchronous when it is loaded, and a binding when its port is resolved. */
const startErrorOf = (cause: unknown): unknown =>
  cause instanceof Error && /^Unexpected asynchronous (?:module load|service)/.test(cause.message)
    ? new StartError('module_not_usable', notSynchronous, cause)
    : cause

/**
 * Opens the configured service without HTTP: connects to the database, and migrates it or refuses.
 *
 * Rejects with `StartError`, and closes everything before.
 */
export const openService = async (config: ServerConfig, options: ServiceOptions = {}): Promise<Service> => {
  await (options.onlyExisting === true ? requireData(config) : ensureDataFolder(config))
  const auditKeys = await auditKeysFor(config)
  const container = createContainer({ ...config, auditKeys }, options.signingKey, options)
  const close = (): Promise<void> => container.unbindAllAsync()
  try {
    container.load(...(options.modules ?? []))
    const database = container.get(databaseId)
    const applied = await prepareDatabase(config, database, options.migrate === true)
    await prepareEncryption(config, database, container.get(keyRingId))
    const documents = container.get(portIds.documents)
    const outbox = container.get(portIds.outbox)
    const watched = {
      database,
      write: writeProbe(database, options.onRetry),
      documents,
      documentPlace: placeOf(config),
      outbox,
      auditTrail: container.get(portIds.auditTrail),
      clock: container.get(portIds.clock),
    }
    const health = serviceHealth(watched, options.onHealthChange)
    const useCases = container.get(useCasesId)
    // The first command creates the tables of the embedded default by itself, so that is no audit event.
    if (config.database.kind === 'server' && applied.length > 0) await recordMigration(useCases, applied)
    const { markets } = container.get(portIds.settings)
    const longBodies = container.get(longBodiesId)
    return { useCases, markets, longBodies, ...health, databasePool: () => poolUse(database), close }
  } catch (cause) {
    await close()
    throw startErrorOf(cause)
  }
}

import type { SigningKey } from '@account-import/adapter-access-tokens'
import type { Readiness } from '@account-import/adapter-http-koa'
import { poolUse, type PoolUse, sqlRateLimits } from '@account-import/adapter-sql'
import type { MarketPack, Outbox, OutboxBacklog, RateLimits, UseCases } from '@account-import/core'
import type { ContainerModule } from 'inversify'
import type { ServerConfig } from '../config/read-config.js'
import { type ContainerOptions, createContainer } from '../container/create-container.js'
import { portIds, useCasesId } from '../container/port-ids.js'
import { databaseId, keyRingId } from '../container/sql-module.js'
import { type OnHealthChange, serviceHealth, sharedCheck } from '../health/service-health.js'
import { ensureDataFolder, requireData } from './data-folder.js'
import { prepareDatabase, prepareEncryption, recordMigration } from './database.js'
import { auditKeysFor } from './keys.js'

export type ServiceOptions = ContainerOptions &
  Readonly<{
    /** Absent: no token is made or accepted. */
    signingKey?: SigningKey
    /** Whether pending migrations of a database server may be run; the embedded default always may. */
    migrate?: boolean
    /** Whether the embedded default is refused where nothing was begun yet; else it is made. */
    onlyExisting?: true
    /** Loaded after the bundled modules, to rebind what they replace. */
    modules?: readonly ContainerModule[]
    /** Called when the service is asked for its health and the state of something has changed. */
    onHealthChange?: OnHealthChange
  }>

/** The use cases over an open database. */
export type Service = Readonly<{
  useCases: UseCases
  /** The markets that suppliers may name: those of the settings that the ports are bound to. */
  markets: readonly MarketPack[]
  /** The counts that all servers on this database share. */
  rateLimits: RateLimits
  /** How database, migrations and document storage are; may be asked as often as one likes. */
  readiness(): Promise<Readiness>
  /** How much of its connections to the database the process uses. */
  databasePool(): PoolUse
  /** How much is in the outbox, at most ten seconds old; undefined where it cannot be read within two seconds. */
  outboxBacklog(): Promise<OutboxBacklog | undefined>
  close(): Promise<void>
}>

/** For people; an endpoint and keys are no part of it. */
const placeOf = ({ documentStorage: storage }: ServerConfig): string =>
  storage.kind === 'folder' ? `the document folder ${storage.path}` : `the bucket ${storage.bucket}`

/** Enough to see that too much waits; counting on would only cost more. */
const mostCounted = 10_000

const backlogTimes = { keepMilliseconds: 10_000, limitMilliseconds: 2000, lostMilliseconds: 30_000 }

/** How much is in the outbox, looked at every ten seconds at most; undefined where that fails, or takes too long. */
const backlogOf = (outbox: Outbox): (() => Promise<OutboxBacklog | undefined>) =>
  sharedCheck<OutboxBacklog | undefined>(
    async () => {
      const backlog = await outbox.backlog(mostCounted)()
      return backlog._tag === 'Right' ? backlog.right : undefined
    },
    { ...backlogTimes, late: undefined },
  )

/**
 * Opens the service as configured, without HTTP: reaches the database, and migrates it or refuses.
 *
 * Rejects with `StartError`; then nothing stays open.
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
    const rateLimits = sqlRateLimits(database, options.onRetry)
    const documents = container.get(portIds.documents)
    const watched = { database, rateLimits, documents, documentPlace: placeOf(config) }
    const readiness = serviceHealth(watched, options.onHealthChange)
    const useCases = container.get(useCasesId)
    // The embedded default has its tables made by whatever opens it first: nobody asked for that.
    if (config.database.kind === 'server' && applied.length > 0) await recordMigration(useCases, applied)
    const { markets } = container.get(portIds.settings)
    return {
      useCases,
      markets,
      rateLimits,
      readiness,
      databasePool: () => poolUse(database),
      outboxBacklog: backlogOf(container.get(portIds.outbox)),
      close,
    }
  } catch (cause) {
    await close()
    throw cause
  }
}

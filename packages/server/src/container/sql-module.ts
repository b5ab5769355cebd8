import {
  type ConnectOptions,
  connectSql,
  createSqlPorts,
  secretKeyRing,
  type SqlPortsOptions,
} from '@account-import/adapter-sql'
import type { KeyRing, StorePorts } from '@account-import/core'
import { ContainerModule, type ServiceIdentifier } from 'inversify'
import type { ServerConfig } from '../config/read-config.js'
import { portIds, serviceId } from './port-ids.js'

/** An open database: a pool of connections. */
export type Database = ReturnType<typeof connectSql>

export const databaseId: ServiceIdentifier<Database> = serviceId('database')

/** The key ring that wraps data keys; undefined without encryption. Rebind it to use keys from another store. */
export const keyRingId: ServiceIdentifier<KeyRing | undefined> = serviceId('keyRing')

const storesId = serviceId<StorePorts>('sqlStores')

/** Callbacks for events of the database adapter. */
export type SqlObservers = Pick<ConnectOptions, 'onConnectionWait'> &
  Pick<SqlPortsOptions, 'onRetry' | 'onBatch'>

/** Binds the stores to the configured database, which is closed when the container is unbound. */
export const sqlModule = (config: ServerConfig, observers: SqlObservers = {}): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(databaseId)
      .toDynamicValue(() =>
        connectSql(config.database.url, { ...observers, maxConnections: config.databasePool }),
      )
      .inSingletonScope()
      .onDeactivation((database) => database.destroy())
    bind(keyRingId).toConstantValue(config.encryptionKeys && secretKeyRing(config.encryptionKeys))
    bind(storesId)
      .toResolvedValue(
        (database: Database, keyRing: KeyRing | undefined) =>
          createSqlPorts(database, { ...observers, auditKeys: config.auditKeys, keyRing }),
        [databaseId, keyRingId],
      )
      .inSingletonScope()
    const bindStore = <Store>(id: ServiceIdentifier<Store>, storeOf: (stores: StorePorts) => Store): void => {
      bind(id).toResolvedValue(storeOf, [storesId]).inSingletonScope()
    }
    bindStore(portIds.accountImports, (stores) => stores.accountImports)
    bindStore(portIds.accounts, (stores) => stores.accounts)
    bindStore(portIds.accountUndo, (stores) => stores.accountUndo)
    bindStore(portIds.apiKeys, (stores) => stores.apiKeys)
    bindStore(portIds.auditTrail, (stores) => stores.auditTrail)
    bindStore(portIds.documentReferences, (stores) => stores.documentReferences)
    bindStore(portIds.failedAttempts, (stores) => stores.failedAttempts)
    bindStore(portIds.importRuns, (stores) => stores.importRuns)
    bindStore(portIds.importSuppliers, (stores) => stores.importSuppliers)
    bindStore(portIds.idempotencyRecords, (stores) => stores.idempotencyRecords)
    bindStore(portIds.operationsTeams, (stores) => stores.operationsTeams)
    bindStore(portIds.organisations, (stores) => stores.organisations)
    bindStore(portIds.outbox, (stores) => stores.outbox)
    bindStore(portIds.personalData, (stores) => stores.personalData)
    bindStore(portIds.refreshTokens, (stores) => stores.refreshTokens)
    bindStore(portIds.leases, (stores) => stores.leases)
    bindStore(portIds.unitOfWork, (stores) => stores.unitOfWork)
    bindStore(portIds.webhooks, (stores) => stores.webhooks)
  })

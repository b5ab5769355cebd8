import type { SigningKey } from '@account-import/adapter-access-tokens'
import type { OnVendorAsked } from '@account-import/adapter-payment-vendor'
import type { ConnectOptions, OnBatch, OnRetry } from '@account-import/adapter-sql'
import type { Actor } from '@account-import/core'
import { Container, type ContainerModule } from 'inversify'
import type { ServerConfig } from '../config/server-config.js'
import { documentsModule, type OnDocumentFailure } from './documents-module.js'
import { notifierModule } from './notifier-module.js'
import { paymentVendorsModule } from './payment-vendors-module.js'
import { runtimeModule, settingsModule, useCasesModule } from './settings-module.js'
import { sqlModule } from './sql-module.js'
import { tokensModule } from './tokens-module.js'

/** Callbacks for what happens in the adapters, such as for logs. */
export type Observers = Readonly<{
  /** Told of work that the database asked to be run again. */
  onRetry?: OnRetry
  /** Told how much work goes to the database together. */
  onBatch?: OnBatch
  /** Told how long each call waited for a connection to the database. */
  onConnectionWait?: NonNullable<ConnectOptions['onConnectionWait']>
  /** Told of calls of the document storage that failed. */
  onDocumentFailure?: OnDocumentFailure
  /** Told of every call of a payment vendor. */
  onVendorAsked?: OnVendorAsked
}>

/** The other input of the composition. */
export type ContainerOptions = Observers &
  Readonly<{
    /** Whom the record names where the operator's use cases are used; the service itself when absent. */
    operator?: Actor
  }>

/** The modules of the bundled server, one an adapter, for embedders who put together a container of their own. */
export const serverModules = (
  config: ServerConfig,
  signingKey: SigningKey | undefined,
  { onDocumentFailure, onVendorAsked, operator = { who: 'service' }, ...sql }: ContainerOptions = {},
): readonly ContainerModule[] => [
  settingsModule(config),
  runtimeModule,
  tokensModule(signingKey, config.verificationKeys),
  sqlModule(config, sql),
  documentsModule(config, onDocumentFailure),
  notifierModule(config),
  paymentVendorsModule(config, onVendorAsked),
  useCasesModule(operator),
]

/**
 * The composition of the bundled server; nothing is opened before it is asked for. Load further modules that
 * `rebind` what they replace. Call `await container.unbindAllAsync()` at the end: it closes what was opened.
 */
export const createContainer = (
  config: ServerConfig,
  signingKey: SigningKey | undefined,
  observers: ContainerOptions = {},
): Container => {
  const container = new Container({ defaultScope: 'Singleton' })
  container.load(...serverModules(config, signingKey, observers))
  return container
}

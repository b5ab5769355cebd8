import { ContainerModule } from 'inversify'
import { bundledMarkets, defaultServiceSettings, type ServiceSettings } from '@account-import/core'
import type { ServerConfig } from '../config/server-config.js'
import { portIds } from './port-ids.js'

const settingsOf = (config: ServerConfig): ServiceSettings => ({
  timeZone: config.timeZone,
  defaultCountry: config.defaultCountry,
  processingClaimSeconds: config.processingClaimSeconds,
  keptBytesPerDay: defaultServiceSettings.keptBytesPerDay,
  markets: bundledMarkets,
  emails: {
    maxAttempts: config.mailAttempts,
    firstRetrySeconds: config.mailRetrySeconds,
    sendSeconds: config.mailTimeoutSeconds,
  },
  ...(config.processingConcurrencyLimit === undefined
    ? {}
    : { processingConcurrencyLimit: config.processingConcurrencyLimit }),
})

/** Binds the settings that the use cases read. */
export const settingsModule = (config: ServerConfig): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(portIds.settings).toConstantValue(settingsOf(config))
  })

import {
  type Actor,
  bundledMarkets,
  defaultServiceSettings,
  makeUseCases,
  type Ports,
  randomPlatformAccountNumbers,
  type ServiceSettings,
  systemClock,
  webCryptoSecrets,
} from '@account-import/core'
import { ContainerModule, type ResolutionContext } from 'inversify'
import type { ServerConfig } from '../config/server-config.js'
import { portIds, useCasesId } from './port-ids.js'

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

/** Binds what the process itself gives: time, randomness and account numbers. */
export const runtimeModule = new ContainerModule(({ bind }) => {
  bind(portIds.clock).toConstantValue(systemClock)
  bind(portIds.secrets).toConstantValue(webCryptoSecrets)
  bind(portIds.platformAccountNumbers).toConstantValue(randomPlatformAccountNumbers)
})

/** All ports of the container: `portIds` names each of them, or it does not compile. */
const portsOf = (context: ResolutionContext): Ports =>
  Object.fromEntries(
    Object.entries(portIds).map(([name, id]) => [name, context.get<unknown>(id)]),
  ) as unknown as Ports

/** Binds `useCasesId`: the use cases over the ports of the same container. `operator`: whom the record names as such. */
export const useCasesModule = (operator: Actor): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(useCasesId)
      .toDynamicValue((context) => makeUseCases(portsOf(context), operator))
      .inSingletonScope()
  })

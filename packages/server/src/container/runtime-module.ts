import { ContainerModule } from 'inversify'
import { randomPlatformAccountNumbers, systemClock, webCryptoSecrets } from '@account-import/core'
import { portIds } from './port-ids.js'

/** Binds what the process itself gives: time, randomness and account numbers. */
export const runtimeModule = new ContainerModule(({ bind }) => {
  bind(portIds.clock).toConstantValue(systemClock)
  bind(portIds.secrets).toConstantValue(webCryptoSecrets)
  bind(portIds.platformAccountNumbers).toConstantValue(randomPlatformAccountNumbers)
})

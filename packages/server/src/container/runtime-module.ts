import { ContainerModule } from 'inversify'
import { randomPlatformAccountNumbers, systemClock, webCryptoSecrets } from '@account-import/core'
import { inMemoryFailedAttempts } from '@account-import/core/in-memory'
import { portIds } from './port-ids.js'

/** Binds what the process itself gives: time, randomness, account numbers, and the count of failed attempts. */
export const runtimeModule = new ContainerModule(({ bind }) => {
  bind(portIds.clock).toConstantValue(systemClock)
  bind(portIds.secrets).toConstantValue(webCryptoSecrets)
  bind(portIds.platformAccountNumbers).toConstantValue(randomPlatformAccountNumbers)
  bind(portIds.failedAttempts)
    .toDynamicValue(() => inMemoryFailedAttempts())
    .inSingletonScope()
})

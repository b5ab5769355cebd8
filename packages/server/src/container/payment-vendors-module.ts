import { ContainerModule } from 'inversify'
import { paymentVendors, type OnVendorAsked } from '@account-import/adapter-payment-vendor'
import type { ServerConfig } from '../config/server-config.js'
import { configuredVendor } from './configured-vendor.js'
import { portIds } from './port-ids.js'

/** Binds the payment vendors to those that are configured. `onAsked` is told of every call. */
export const paymentVendorsModule = (config: ServerConfig, onAsked?: OnVendorAsked): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(portIds.paymentVendors)
      .toDynamicValue((context) => {
        const options = {
          clock: context.get(portIds.clock),
          persistentSeconds: config.paymentVendorPersistentSeconds,
          ...(onAsked !== undefined && { onAsked }),
        }
        return paymentVendors(
          config.paymentVendors.map((entry) => configuredVendor(entry, config.paymentVendorSecrets, options)),
        )
      })
      .inSingletonScope()
  })

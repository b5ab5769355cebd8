import { guardedVendor, paymentVendors, sandboxVendor } from '@account-import/adapter-payment-vendor'
import { portIds } from '@account-import/server'
import { ContainerModule } from 'inversify'
import { giroVendor, type GiroVendorOptions } from './giro-vendor.js'

/** Puts GIRO, beside the sandbox, in the place of the configured payment vendors. */
export const withGiro = (options: GiroVendorOptions): ContainerModule =>
  new ContainerModule(({ rebind }) => {
    rebind(portIds.paymentVendors).toConstantValue(
      paymentVendors([sandboxVendor(), guardedVendor(giroVendor(options))]),
    )
  })

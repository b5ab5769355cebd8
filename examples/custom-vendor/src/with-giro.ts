import { guardedVendor, paymentVendors, sandboxVendor } from '@account-import/adapter-payment-vendor'
import { portIds } from '@account-import/server'
import { ContainerModule } from 'inversify'
import { giroVendor, type GiroVendorOptions } from './giro-vendor.js'

/** Replaces the configured payment vendors by GIRO and the sandbox. */
export const withGiro = (options: GiroVendorOptions): ContainerModule =>
  new ContainerModule(({ rebind }) => {
    rebind(portIds.paymentVendors).toConstantValue(
      paymentVendors([sandboxVendor(), guardedVendor(giroVendor(options))]),
    )
  })

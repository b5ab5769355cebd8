export type { PaymentVendor } from './payment-vendor.js'
export { paymentVendors } from './payment-vendors.js'
export { sandboxVendor } from './vendors/sandbox.js'
export type { SandboxOptions } from './vendors/sandbox.js'

export {
  type AskedInstruction,
  type ClearAnswer,
  type InstructionOf,
  type PaymentVendor,
  paymentVendors,
  type VendorClient,
} from './payment-vendors.js'
export { defaultGuardLimits, guardedVendor, type GuardOptions, loggedVendor } from './guard/guarded-vendor.js'
export { type OnVendorAsked, VendorFailure, type VendorFailureKind } from './vendor-failure.js'
export {
  boundedGet,
  type ConnectionOptions,
  mayBeAsked,
  type Resolve,
  vendorConnection,
} from './http/vendor-connection.js'
export { httpWebhookSender } from './http/webhook-sender.js'
export { type AnswerRules, httpJsonVendor } from './vendors/http-json.js'
export { sandboxVendor } from './vendors/sandbox.js'
export { stripeVendor, type StripeVendorOptions } from './vendors/stripe.js'

export {
  type AskedInstruction,
  type ClearAnswer,
  type InstructionOf,
  type PaymentVendor,
  type VendorClient,
} from './payment-vendor.js'
export { paymentVendors } from './payment-vendors.js'
export {
  defaultGuardLimits,
  guardedVendor,
  type GuardLimits,
  type GuardOptions,
  loggedVendor,
} from './guard/guarded-vendor.js'
export {
  type OnVendorAsked,
  type VendorAsked,
  VendorFailure,
  type VendorFailureKind,
} from './guard/vendor-failure.js'
export { mayBeAsked, type Resolve } from './http/addresses.js'
export {
  type BoundedAnswer,
  type BoundedGet,
  boundedGet,
  type ConnectionOptions,
  vendorConnection,
  type VendorConnection,
} from './http/vendor-connection.js'
export { httpWebhookSender, type WebhookSenderOptions } from './http/webhook-sender.js'
export {
  type AnswerRules,
  type DetailPaths,
  type FieldPath,
  type FieldRule,
  httpJsonVendor,
  type HttpJsonVendorOptions,
} from './vendors/http-json.js'
export { type SandboxOptions, sandboxVendor } from './vendors/sandbox.js'
export { stripeVendor } from './vendors/stripe/stripe-vendor.js'
export { type StripeVendorOptions } from './vendors/stripe/ask-stripe.js'

import { setTimeout } from 'node:timers/promises'
import type { PaymentVerification } from '@account-import/core'
import type { PaymentVendor } from '../payment-vendors.js'

const slowMilliseconds = 3000

const byPrefix: readonly (readonly [prefix: string, verification: PaymentVerification])[] = [
  ['sandbox-missing-', { _tag: 'not_found' }],
  ['sandbox-unusable-', { _tag: 'not_usable' }],
  ['sandbox-refused-', { _tag: 'refused' }],
  ['sandbox-unavailable-', { _tag: 'unavailable', retryAfterSeconds: 1 }],
  ['sandbox-unreachable-', { _tag: 'unreachable' }],
]

/** The details of a fictitious card, for programs that store details. */
const verified: PaymentVerification = {
  _tag: 'verified',
  details: {
    brand: 'SANDBOX',
    last4: '4242',
    expiry: '2099-12',
    method: 'card',
    country: 'ES',
    customerId: 'sandbox-customer-1',
    mandateId: 'sandbox-mandate-1',
    status: 'active',
  },
}

/**
 * A vendor for tests: no network, no money. The prefix of the reference decides, case counting: `sandbox-missing-` not found,
 * `sandbox-unusable-` not usable, `sandbox-refused-` refused, `sandbox-unavailable-` no clear answer, `sandbox-unreachable-`
 * persistently out of reach, `sandbox-slow-` verified after 3 seconds; any other reference is verified.
 */
export const sandboxVendor = ({
  code = 'SANDBOX',
  wait = setTimeout,
}: Readonly<{
  /** `SANDBOX` when absent. */
  code?: string
  /** Waits for a number of milliseconds; a real timer when absent. */
  wait?: (milliseconds: number) => Promise<void>
}> = {}): PaymentVendor => ({
  code,
  takesReference: () => true,
  verify: async ({ reference }) => {
    if (reference.startsWith('sandbox-slow-')) await wait(slowMilliseconds)
    return byPrefix.find(([prefix]) => reference.startsWith(prefix))?.[1] ?? verified
  },
})

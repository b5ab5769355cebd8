import type { MigrationNotice, PaymentVerification, Ports } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'
import { inMemoryCustomerNotifier, inMemoryPorts } from '@account-import/core/in-memory'
import { countedSecrets } from '../../use-cases/support/counted-secrets.js'
import { settableClock, type SettableClock } from '../../use-cases/support/service.js'

const verified: PaymentVerification = { _tag: 'verified', details: {} }

/** Ports in memory on which a run goes the same way each time, with a clock that stands still until it is moved. */
export const deterministicPorts = (): Readonly<{ ports: Ports; clock: SettableClock }> => {
  const clock = settableClock()
  const notices: MigrationNotice[] = []
  let numbers = 0
  const ports = inMemoryPorts({
    clock,
    customerNotifier: inMemoryCustomerNotifier(notices),
    paymentVendors: {
      isRegistered: () => true,
      takesReference: () => true,
      verify: () => async () => TE.right(verified)(),
    },
    platformAccountNumbers: { next: () => async () => TE.right(`P-${(numbers += 1)}`)() },
    secrets: countedSecrets(),
  })
  return { ports, clock }
}

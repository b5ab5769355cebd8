import { E } from '../fp.js'
import type { Ports, StorePorts } from '../ports/index.js'
import { portFailure } from '../ports/port-failure.js'
import type { Secrets } from '../ports/secrets.js'
import { defaultServiceSettings } from '../ports/settings.js'
import type { UnitOfWork } from '../ports/unit-of-work.js'
import { randomPlatformAccountNumbers, systemClock, webCryptoSecrets } from '../provided/system.js'
import { inMemoryAccountImports } from './account-imports.js'
import { inMemoryHeldData } from './personal-data.js'
import { accountStoresWithin, inMemoryAccounts } from './accounts.js'
import { inMemoryAuditTrail } from './audit-trail.js'
import { inMemoryIdempotencyRecords, keyedWorkWithin } from './idempotency-records.js'
import { createMemory, type Memory } from './memory.js'
import { inMemoryImportRuns, inMemoryWebhooks } from './import-runs.js'
import { inMemoryOutbox } from './outbox.js'
import { inMemoryRegisters } from './registers.js'
import {
  inMemoryAccessTokens,
  inMemoryCustomerNotifier,
  inMemoryDocuments,
  inMemoryPaymentVendors,
  inMemoryWebhookSender,
} from './stand-ins.js'

export * from './stand-ins.js'
export { inMemoryFailedAttempts } from './registers.js'

/** Units of work run one after the other; a Left or an exception rolls back. */
const inMemoryUnitOfWork = (memory: Memory): UnitOfWork => ({
  run: async (_organisation, work) => {
    try {
      return await memory.exclusive((tables) => {
        const within: Memory = { ...memory, tables, isUnit: true, change: async (change) => change(tables) }
        return work({
          accountImports: inMemoryAccountImports(memory, within),
          ...accountStoresWithin(memory, tables),
          auditTrail: inMemoryAuditTrail(within),
          keyedWork: keyedWorkWithin(tables, memory),
          outbox: inMemoryOutbox(within),
        })
      }, E.isRight)
    } catch (cause) {
      return E.left(portFailure('unexpected', 'unitOfWork', 'run', cause))
    }
  },
})

/**
 * Every store, in the memory of this process, with units of work that really roll back. `secrets` hashes payloads and entries.
 */
export const inMemoryStorePorts = (secrets: Pick<Secrets, 'hash'> = webCryptoSecrets): StorePorts => {
  const memory = createMemory(secrets.hash)
  return {
    ...inMemoryRegisters(),
    ...inMemoryHeldData(memory),
    accountImports: inMemoryAccountImports(memory),
    accounts: inMemoryAccounts(memory),
    auditTrail: inMemoryAuditTrail(memory),
    idempotencyRecords: inMemoryIdempotencyRecords(memory),
    importRuns: inMemoryImportRuns(memory),
    outbox: inMemoryOutbox(memory),
    unitOfWork: inMemoryUnitOfWork(memory),
    webhooks: inMemoryWebhooks(memory),
  }
}

/** Every port in memory; `yours` replace those of the same name. Without yours there are no documents and no payment vendors. */
export const inMemoryPorts = (yours: Partial<Ports> = {}): Ports => ({
  ...inMemoryStorePorts(yours.secrets),
  accessTokens: inMemoryAccessTokens(yours.secrets ?? webCryptoSecrets),
  clock: systemClock,
  customerNotifier: inMemoryCustomerNotifier([]),
  documents: inMemoryDocuments(new Set()),
  paymentVendors: inMemoryPaymentVendors(new Map()),
  platformAccountNumbers: randomPlatformAccountNumbers,
  secrets: webCryptoSecrets,
  settings: defaultServiceSettings,
  webhookSender: { ...inMemoryWebhookSender([]), canSend: false, takes: () => false },
  ...yours,
})

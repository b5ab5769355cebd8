import type { Ports, StorePorts } from '../ports/index.js'
import type { Secrets } from '../ports/secrets.js'
import { defaultServiceSettings } from '../ports/settings.js'
import { randomPlatformAccountNumbers, systemClock, webCryptoSecrets } from '../provided/system.js'
import { inMemoryAccountImports } from './account-imports.js'
import { inMemoryAccounts } from './accounts.js'
import { inMemoryAuditTrail } from './audit-trail.js'
import { inMemoryDocumentReferences } from './document-references.js'
import { type AnswerRows, inMemoryIdempotencyRecords } from './idempotency-records.js'
import { createMemory } from './memory.js'
import { inMemoryOutbox } from './outbox.js'
import { inMemoryPersonalData } from './personal-data.js'
import { inMemoryRegisters } from './registers.js'
import {
  inMemoryAccessTokens,
  inMemoryCustomerNotifier,
  inMemoryDocuments,
  inMemoryPaymentVendors,
} from './stand-ins.js'
import { inMemoryUnitOfWork } from './unit-of-work.js'

export { failing } from './failing.js'
export { inMemoryAccessTokens } from './stand-ins.js'
export { inMemoryCustomerNotifier } from './stand-ins.js'
export { inMemoryDocuments } from './stand-ins.js'
export { inMemoryFailedAttempts } from './registers.js'
export { inMemoryKeyRing, type WrappedKeys } from './stand-ins.js'
export { inMemoryPaymentVendors, type KnownInstructions, type VendorBindings } from './stand-ins.js'

/** Every store, in the memory of this process, with units of work that really roll back. `secrets` hash what is kept. */
export const inMemoryStorePorts = (secrets: Pick<Secrets, 'hash'> = webCryptoSecrets): StorePorts => {
  const memory = createMemory(secrets.hash)
  const answers: AnswerRows = new Map()
  return {
    ...inMemoryRegisters(memory.suppliers),
    accountImports: inMemoryAccountImports(memory),
    accounts: inMemoryAccounts(memory),
    auditTrail: inMemoryAuditTrail(memory),
    documentReferences: inMemoryDocumentReferences(memory),
    idempotencyRecords: inMemoryIdempotencyRecords(memory, answers),
    outbox: inMemoryOutbox(memory),
    personalData: inMemoryPersonalData(memory, answers),
    unitOfWork: inMemoryUnitOfWork(memory, answers),
  }
}

/** Every port; yours take the place of those that you name. There are no documents and no
 * payment vendors until you name some. */
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
  ...yours,
})

import type { Ports, StorePorts } from '../ports/index.js'
import type { Organisation } from '../ports/organisations.js'
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
import {
  inMemoryApiKeys,
  inMemoryFailedAttempts,
  inMemoryImportSuppliers,
  inMemoryLeases,
  inMemoryOperationsTeams,
  inMemoryOrganisations,
  inMemoryRefreshTokens,
} from './registers.js'
import {
  inMemoryAccessTokens,
  inMemoryCustomerNotifier,
  inMemoryDocuments,
  inMemoryPaymentVendors,
} from './stand-ins.js'
import { inMemoryUnitOfWork } from './unit-of-work.js'

export { failing, type FailingOptions } from './failing.js'
export { inMemoryAccessTokens } from './stand-ins.js'
export { inMemoryCustomerNotifier } from './stand-ins.js'
export { inMemoryDocuments } from './stand-ins.js'
export { inMemoryFailedAttempts } from './registers.js'
export { inMemoryKeyRing, type WrappedKeys } from './stand-ins.js'
export { inMemoryPaymentVendors, type KnownInstructions, type VendorBindings } from './stand-ins.js'

/** Every store, in the memory of this process, with units of work that really roll back. `secrets` hash what is kept. */
export const inMemoryStorePorts = (secrets: Pick<Secrets, 'hash'> = webCryptoSecrets): StorePorts => {
  const memory = createMemory(secrets.hash)
  const organisations = new Map<string, Organisation>()
  const answers: AnswerRows = new Map()
  return {
    accountImports: inMemoryAccountImports(memory),
    accounts: inMemoryAccounts(memory),
    apiKeys: inMemoryApiKeys(organisations),
    auditTrail: inMemoryAuditTrail(memory),
    documentReferences: inMemoryDocumentReferences(memory),
    failedAttempts: inMemoryFailedAttempts(),
    importSuppliers: inMemoryImportSuppliers(memory.suppliers, organisations),
    idempotencyRecords: inMemoryIdempotencyRecords(memory, answers),
    operationsTeams: inMemoryOperationsTeams(memory, organisations),
    organisations: inMemoryOrganisations(organisations),
    outbox: inMemoryOutbox(memory),
    personalData: inMemoryPersonalData(memory, answers),
    refreshTokens: inMemoryRefreshTokens(),
    leases: inMemoryLeases(),
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

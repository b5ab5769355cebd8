import type { StorePorts } from '../ports/index.js'
import { accountCases } from './account-cases.js'
import { accountIdentityCases } from './account-identity-cases.js'
import { claimCases } from './claim-cases.js'
import { createCases } from './create-cases.js'
import { additionCases } from './addition-cases.js'
import { auditCases } from './audit-cases.js'
import { auditChainCases } from './audit-chain-cases.js'
import { auditOfCreationCases } from './audit-of-creation-cases.js'
import type { ContractCase } from './contract-case.js'
import { registerCases } from './register-cases.js'
import { outboxCases } from './outbox-cases.js'
import { emailSettlementCases } from './email-settlement-cases.js'
import { failedAttemptCases, refreshTokenCases } from './session-cases.js'
import { identityCases } from './identity-cases.js'
import { listCases } from './list-cases.js'
import { importRunCases } from './import-run-cases.js'
import { openFailureCases } from './open-failure-cases.js'
import { runFailureCases } from './run-failure-cases.js'
import { referenceCases } from './reference-cases.js'
import { historyCases } from './history-cases.js'
import { idempotencyRecordCases } from './idempotency-record-cases.js'
import { unitOfWorkCases } from './unit-of-work-cases.js'
import { personalDataCases } from './personal-data-cases.js'
import { stagedCreationCases } from './staged-creation-cases.js'
import { stagingCases } from './staging-cases.js'
import { transactionCases } from './transaction-cases.js'
import { undoCases } from './undo-cases.js'
import { webhookCases } from './webhook-cases.js'

export {
  accessTokenCases,
  clockCases,
  keyRingCases,
  type KeyRingSubject,
  platformAccountNumberCases,
  secretsCases,
} from './provided-cases.js'
export { created } from './builders.js'
export type { ContractCase } from './contract-case.js'
export { customerNotifierCases, type CustomerNotifierSubject } from './customer-notifier.js'
export { type DeepRequired, everyDetail, type Leaf } from './every-detail.js'
export { documentsCases, type DocumentsSubject } from './documents.js'
export { failedAttemptCases }
export { aFullAccount } from './full-account.js'
export { paymentVendorsCases, type PaymentVendorsSubject } from './payment-vendors.js'

/**
 * The contract of every set of stores. The cases run one after the other, on one set of stores or on a new one for each.
 * Cases that are not `alone` may also run concurrently, which is faster and finds more faults.
 */
export const storeCases: readonly ContractCase<StorePorts>[] = [
  ...registerCases,
  ...identityCases,
  ...refreshTokenCases,
  ...stagingCases,
  ...claimCases,
  ...createCases,
  ...stagedCreationCases,
  ...historyCases,
  ...listCases,
  ...accountCases,
  ...accountIdentityCases,
  ...referenceCases,
  ...unitOfWorkCases,
  ...outboxCases,
  ...emailSettlementCases,
  ...idempotencyRecordCases,
  ...auditCases,
  ...auditChainCases,
  ...auditOfCreationCases,
  ...undoCases,
  ...importRunCases,
  ...runFailureCases,
  ...openFailureCases,
  ...failedAttemptCases,
  ...additionCases,
  ...transactionCases,
  ...personalDataCases,
  ...webhookCases,
]

import type { StorePorts } from '../ports/index.js'
import { accountCases } from './account-cases.js'
import { accountIdentityCases } from './account-identity-cases.js'
import { claimCases } from './claim-cases.js'
import { auditCases } from './audit-cases.js'
import type { ContractCase } from './contract-case.js'
import { documentRootCases } from './document-root-cases.js'
import { emailClaimCases } from './email-claim-cases.js'
import { emailSettlementCases } from './email-settlement-cases.js'
import { failedAttemptCases } from './failed-attempt-cases.js'
import { identityCases } from './identity-cases.js'
import { listCases } from './list-cases.js'
import { importRunCases } from './import-run-cases.js'
import { runFailureCases } from './run-failure-cases.js'
import { referenceCases } from './reference-cases.js'
import { historyCases } from './history-cases.js'
import { outboxCases } from './outbox-cases.js'
import { idempotencyRecordCases } from './idempotency-record-cases.js'
import { keptBytesCases } from './kept-bytes-cases.js'
import { limitCases } from './limit-cases.js'
import { lockCases } from './lock-cases.js'
import { noteCases } from './note-cases.js'
import { pageCases } from './page-cases.js'
import { paymentInstructionCases } from './payment-instruction-cases.js'
import { personalDataCases } from './personal-data-cases.js'
import { registerCases } from './register-cases.js'
import { registerIdentityCases } from './register-identity-cases.js'
import { refreshTokenCases } from './refresh-token-cases.js'
import { revisionCases } from './revision-cases.js'
import { sameDataCases } from './same-data-cases.js'
import { stagedPageCases } from './staged-page-cases.js'
import { stagingCases } from './staging-cases.js'
import { statementCases } from './statement-cases.js'
import { summaryCases } from './summary-cases.js'
import { transactionCases } from './transaction-cases.js'
import { leaseCases } from './lease-cases.js'
import { unitOfWorkCases } from './unit-of-work-cases.js'
import { undoCases } from './undo-cases.js'
import { unsealedCases } from './unsealed-cases.js'
import { webhookCases } from './webhook-cases.js'

export { accessTokenCases } from './access-token-cases.js'
export type { ContractCase } from './contract-case.js'
export { customerNotifierCases } from './customer-notifier.js'
export type { CustomerNotifierSubject } from './customer-notifier.js'
export type { DeepRequired, Leaf } from './deep-required.js'
export { documentsCases } from './documents.js'
export type { DocumentsSubject } from './documents.js'
export { everyDetail } from './every-detail.js'
export { failedAttemptCases }
export { aFullAccount } from './full-account.js'
export { keyRingCases } from './key-ring-cases.js'
export type { KeyRingSubject } from './key-ring-cases.js'
export { paymentVendorsCases } from './payment-vendors.js'
export type { PaymentVendorsSubject } from './payment-vendors.js'
export { clockCases, platformAccountNumberCases, secretsCases } from './source-cases.js'

/**
 * All that every set of stores promises. The cases run one after the other, on one set of stores or on a new one for
 * each. Those that are not `alone` may also run at the same time, which is faster and finds more.
 */
export const storeCases: readonly ContractCase<StorePorts>[] = [
  ...registerCases,
  ...registerIdentityCases,
  ...identityCases,
  ...refreshTokenCases,
  ...documentRootCases,
  ...stagingCases,
  ...revisionCases,
  ...claimCases,
  ...sameDataCases,
  ...historyCases,
  ...limitCases,
  ...listCases,
  ...stagedPageCases,
  ...summaryCases,
  ...accountCases,
  ...accountIdentityCases,
  ...referenceCases,
  ...unitOfWorkCases,
  ...outboxCases,
  ...emailClaimCases,
  ...emailSettlementCases,
  ...idempotencyRecordCases,
  ...keptBytesCases,
  ...auditCases,
  ...pageCases,
  ...undoCases,
  ...importRunCases,
  ...runFailureCases,
  ...unsealedCases,
  ...failedAttemptCases,
  ...lockCases,
  ...noteCases,
  ...statementCases,
  ...paymentInstructionCases,
  ...transactionCases,
  ...personalDataCases,
  ...leaseCases,
  ...webhookCases,
]

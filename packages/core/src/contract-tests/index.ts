import type { StorePorts } from '../ports/index.js'
import { accountCases } from './account-cases.js'
import { claimCases } from './claim-cases.js'
import type { ContractCase } from './contract-case.js'
import { listCases } from './list-cases.js'
import { referenceCases } from './reference-cases.js'
import { outboxCases } from './outbox-cases.js'
import { lockCases } from './lock-cases.js'
import { noteCases } from './note-cases.js'
import { paymentInstructionCases } from './payment-instruction-cases.js'
import { registerCases } from './register-cases.js'
import { stagingCases } from './staging-cases.js'
import { statementCases } from './statement-cases.js'
import { transactionCases } from './transaction-cases.js'
import { unitOfWorkCases } from './unit-of-work-cases.js'

export { accessTokenCases } from './access-token-cases.js'
export { emailClaimCases } from './email-claim-cases.js'
export { limitCases } from './claim-cases.js'
export type { ContractCase } from './contract-case.js'
export { customerNotifierCases } from './customer-notifier.js'
export type { CustomerNotifierSubject } from './customer-notifier.js'
export { documentsCases } from './documents.js'
export type { DocumentsSubject } from './documents.js'
export { failedAttemptCases } from './failed-attempt-cases.js'
export { paymentVendorsCases } from './payment-vendors.js'
export type { PaymentVendorsSubject } from './payment-vendors.js'
export { clockCases, platformAccountNumberCases, secretsCases } from './source-cases.js'

/** What every set of stores promises; cases may run at the same time on one database. */
export const contractCases: readonly ContractCase<StorePorts>[] = [
  ...registerCases,
  ...stagingCases,
  ...claimCases,
  ...listCases,
  ...accountCases,
  ...referenceCases,
  ...unitOfWorkCases,
  ...outboxCases,
  ...lockCases,
  ...noteCases,
  ...statementCases,
  ...paymentInstructionCases,
  ...transactionCases,
]

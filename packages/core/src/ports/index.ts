import type { AccessTokens, ApiKeys, FailedAttempts, RefreshTokens } from './access.js'
import type { AccountImports } from './account-imports.js'
import type { Accounts, AccountUndo, PlatformAccountNumbers } from './accounts.js'
import type { AuditTrail } from './audit-trail.js'
import type { Clock, Secrets } from './secrets.js'
import type { DocumentReferences, Documents } from './documents.js'
import type { CustomerNotifier, Outbox } from './outbox.js'
import type { ImportRuns } from './import-runs.js'
import type { ImportSuppliers, OperationsTeams, Organisations } from './registers.js'
import type { IdempotencyRecords } from './idempotency-records.js'
import type { PaymentVendors } from './payment-vendors.js'
import type { PersonalData } from './personal-data.js'
import type { ServiceSettings } from './settings.js'
import type { Leases, UnitOfWork } from './unit-of-work.js'
import type { Webhooks, WebhookSender } from './webhooks.js'

/** The ports that store data, which a database adapter implements. */
export type StorePorts = Readonly<{
  accountImports: AccountImports
  accounts: Accounts
  accountUndo: AccountUndo
  apiKeys: ApiKeys
  auditTrail: AuditTrail
  documentReferences: DocumentReferences
  failedAttempts: FailedAttempts
  importRuns: ImportRuns
  importSuppliers: ImportSuppliers
  idempotencyRecords: IdempotencyRecords
  operationsTeams: OperationsTeams
  organisations: Organisations
  outbox: Outbox
  personalData: PersonalData
  refreshTokens: RefreshTokens
  leases: Leases
  unitOfWork: UnitOfWork
  webhooks: Webhooks
}>

/** All ports of the use cases. */
export type Ports = StorePorts &
  Readonly<{
    accessTokens: AccessTokens
    clock: Clock
    customerNotifier: CustomerNotifier
    documents: Documents
    paymentVendors: PaymentVendors
    platformAccountNumbers: PlatformAccountNumbers
    secrets: Secrets
    settings: ServiceSettings
    webhookSender: WebhookSender
  }>

import type { Ports, UseCases } from '@account-import/core'
import type { ServiceIdentifier } from 'inversify'
import type { LongBodies } from '../long-bodies/long-bodies.js'

/** The identifier of a service in the container, the same in every copy of this package. */
export const serviceId = <Service>(name: string): ServiceIdentifier<Service> =>
  Symbol.for(`account-import/${name}`)

type Ids<Services> = { readonly [Name in keyof Services]-?: ServiceIdentifier<Services[Name]> }

/** The id of each port of the core; rebind one of these to replace its adapter. */
export const portIds: Ids<Ports> = {
  accessTokens: serviceId('accessTokens'),
  accountImports: serviceId('accountImports'),
  accounts: serviceId('accounts'),
  accountUndo: serviceId('accountUndo'),
  apiKeys: serviceId('apiKeys'),
  auditTrail: serviceId('auditTrail'),
  clock: serviceId('clock'),
  documentReferences: serviceId('documentReferences'),
  customerNotifier: serviceId('customerNotifier'),
  documents: serviceId('documents'),
  failedAttempts: serviceId('failedAttempts'),
  importRuns: serviceId('importRuns'),
  importSuppliers: serviceId('importSuppliers'),
  idempotencyRecords: serviceId('idempotencyRecords'),
  operationsTeams: serviceId('operationsTeams'),
  organisations: serviceId('organisations'),
  outbox: serviceId('outbox'),
  paymentVendors: serviceId('paymentVendors'),
  platformAccountNumbers: serviceId('platformAccountNumbers'),
  personalData: serviceId('personalData'),
  refreshTokens: serviceId('refreshTokens'),
  secrets: serviceId('secrets'),
  settings: serviceId('settings'),
  leases: serviceId('leases'),
  unitOfWork: serviceId('unitOfWork'),
  webhooks: serviceId('webhooks'),
  webhookSender: serviceId('webhookSender'),
}

/** The use cases over the bound ports. */
export const useCasesId = serviceId<UseCases>('useCases')

/** The thread for long bodies; undefined where the bound settings have markets other than the bundled ones, as markets are code. */
export const longBodiesId = serviceId<LongBodies | undefined>('longBodies')

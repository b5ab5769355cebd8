import { ContainerModule, type ResolutionContext } from 'inversify'
import { makeUseCases, type Ports } from '@account-import/core'
import { portIds, useCasesId } from './port-ids.js'

const portsOf = (context: ResolutionContext): Ports => ({
  accessTokens: context.get(portIds.accessTokens),
  accountImports: context.get(portIds.accountImports),
  accounts: context.get(portIds.accounts),
  apiKeys: context.get(portIds.apiKeys),
  clock: context.get(portIds.clock),
  documentReferences: context.get(portIds.documentReferences),
  customerNotifier: context.get(portIds.customerNotifier),
  documents: context.get(portIds.documents),
  failedAttempts: context.get(portIds.failedAttempts),
  importSuppliers: context.get(portIds.importSuppliers),
  operationsTeams: context.get(portIds.operationsTeams),
  organisations: context.get(portIds.organisations),
  outbox: context.get(portIds.outbox),
  paymentVendors: context.get(portIds.paymentVendors),
  platformAccountNumbers: context.get(portIds.platformAccountNumbers),
  refreshTokens: context.get(portIds.refreshTokens),
  secrets: context.get(portIds.secrets),
  settings: context.get(portIds.settings),
  unitOfWork: context.get(portIds.unitOfWork),
})

/** Binds `useCasesId`: the use cases over the ports of the same container. */
export const useCasesModule = new ContainerModule(({ bind }) => {
  bind(useCasesId)
    .toDynamicValue((context) => makeUseCases(portsOf(context)))
    .inSingletonScope()
})

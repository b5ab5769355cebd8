import type { Actor } from '../../domain/audit-entry.js'
import type { Ports } from '../../ports/index.js'
import type { OperatorRefusal, UseCaseResult } from '../errors.js'
import { type AccountUseCases, accountUseCases } from './accounts.js'
import { type ApiKeyUseCases, apiKeyUseCases } from './api-keys.js'
import { type DocumentsChecked, missingDocuments } from './missing-documents.js'
import { type OrganisationUseCases, organisationUseCases } from './organisations.js'
import { type OutboxUseCases, outboxUseCases } from './outbox.js'
import { type SupplierUseCases, supplierUseCases } from './suppliers.js'
import { type TeamUseCases, teamUseCases } from './teams.js'

/** Everything the operator does, through the command line. Input is raw and checked here. */
export interface OperatorUseCases
  extends
    OrganisationUseCases,
    SupplierUseCases,
    TeamUseCases,
    ApiKeyUseCases,
    AccountUseCases,
    OutboxUseCases {
  /**
   * Every document that is missing though the supplier's staged or created accounts name it, in order of external
   * account number, in constant memory; a port that fails after the first page makes the iteration throw its
   * `PortFailure`.
   */
  readonly missingDocuments: (code: string) => UseCaseResult<OperatorRefusal, AsyncIterable<DocumentsChecked>>
}

/** `by`: who the operator is, for the record. */
export const makeOperatorUseCases = (ports: Ports, by: Actor): OperatorUseCases => ({
  ...organisationUseCases(ports),
  ...supplierUseCases(ports),
  ...teamUseCases(ports),
  ...apiKeyUseCases(ports),
  ...accountUseCases(ports, by),
  missingDocuments: missingDocuments(ports),
  ...outboxUseCases(ports),
})

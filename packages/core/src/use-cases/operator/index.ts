import type { Actor } from '../../domain/audit-entry.js'
import type { Ports } from '../../ports/index.js'
import type { OperatorUseCases } from '../operator-signatures.js'
import { setSkipped, showAccount } from './accounts.js'
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './api-keys.js'
import { configureSupplier } from './configure-supplier.js'
import { listReachingOthers } from './document-roots.js'
import { missingDocuments } from './missing-documents.js'
import {
  createOrganisation,
  disableOrganisation,
  enableOrganisation,
  listOrganisations,
  revokeOrganisation,
} from './organisations.js'
import { listEmails, retryEmail, retryParkedEmails } from './outbox.js'
import { eraseSubject, exportSubject, previewErasure } from './personal-data.js'
import { createSupplier, listSuppliers, setSupplierStatus, showSupplier } from './suppliers.js'
import { bindTeam, createTeam, listTeams, unbindTeam } from './teams.js'

/** `by`: who the operator is, for the record. */
export const makeOperatorUseCases = (ports: Ports, by: Actor): OperatorUseCases => ({
  createOrganisation: createOrganisation(ports),
  listOrganisations: listOrganisations(ports),
  disableOrganisation: disableOrganisation(ports),
  enableOrganisation: enableOrganisation(ports),
  revokeOrganisation: revokeOrganisation(ports),
  createSupplier: createSupplier(ports),
  setSupplierStatus: setSupplierStatus(ports),
  configureSupplier: configureSupplier(ports),
  showSupplier: showSupplier(ports),
  listSuppliers: listSuppliers(ports),
  listReachingOthers: listReachingOthers(ports),
  createTeam: createTeam(ports),
  listTeams: listTeams(ports),
  bindTeam: bindTeam(ports),
  unbindTeam: unbindTeam(ports),
  createApiKey: createApiKey(ports),
  listApiKeys: listApiKeys(ports),
  rotateApiKey: rotateApiKey(ports),
  revokeApiKey: revokeApiKey(ports),
  setSkipped: setSkipped(ports, by),
  showAccount: showAccount(ports),
  exportSubject: exportSubject(ports),
  previewErasure: previewErasure(ports),
  eraseSubject: eraseSubject(ports, by),
  missingDocuments: missingDocuments(ports),
  listEmails: listEmails(ports),
  retryEmail: retryEmail(ports),
  retryParkedEmails: retryParkedEmails(ports),
})

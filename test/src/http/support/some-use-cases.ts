import type { AccessTokenClaims, Scope, UseCases } from '@account-import/core'
import { instantOf, scopes } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'

const claimsFor = (organisation: string, allowed: readonly Scope[]): AccessTokenClaims => ({
  apiKeyId: 'key1',
  organisation,
  scopes: allowed,
  family: 'family1',
  issuedAt: instantOf(0),
  expiresAt: instantOf(3_600_000),
})

/** `good` may do everything, `only-<scope>` one thing, `old` has expired; anything else is no token. */
export const authenticate: UseCases['authenticate'] = (token) => {
  if (token === 'good') return TE.right(claimsFor('ACME', scopes))
  if (token === 'old') return TE.left({ _tag: 'TokenExpired' })
  const scope = scopes.find((each) => token === `only-${each}`)
  return scope === undefined
    ? TE.left({ _tag: 'AuthenticationFailed' })
    : TE.right(claimsFor('ACME', [scope]))
}

const notAsked = (name: string) => (): never => {
  throw new Error(`${name} was not to be asked`)
}

const operator: UseCases['operator'] = {
  createOrganisation: notAsked('createOrganisation'),
  listOrganisations: notAsked('listOrganisations'),
  disableOrganisation: notAsked('disableOrganisation'),
  enableOrganisation: notAsked('enableOrganisation'),
  revokeOrganisation: notAsked('revokeOrganisation'),
  createSupplier: notAsked('createSupplier'),
  setSupplierStatus: notAsked('setSupplierStatus'),
  configureSupplier: notAsked('configureSupplier'),
  showSupplier: notAsked('showSupplier'),
  listSuppliers: notAsked('listSuppliers'),
  listReachingOthers: notAsked('listReachingOthers'),
  createTeam: notAsked('createTeam'),
  listTeams: notAsked('listTeams'),
  bindTeam: notAsked('bindTeam'),
  unbindTeam: notAsked('unbindTeam'),
  createApiKey: notAsked('createApiKey'),
  listApiKeys: notAsked('listApiKeys'),
  rotateApiKey: notAsked('rotateApiKey'),
  revokeApiKey: notAsked('revokeApiKey'),
  setSkipped: notAsked('setSkipped'),
  showAccount: notAsked('showAccount'),
  exportSubject: notAsked('exportSubject'),
  previewErasure: notAsked('previewErasure'),
  eraseSubject: notAsked('eraseSubject'),
  missingDocuments: notAsked('missingDocuments'),
  listEmails: notAsked('listEmails'),
  retryEmail: notAsked('retryEmail'),
  retryParkedEmails: notAsked('retryParkedEmails'),
}

/** Use cases for looking at the transport alone: those that a test does not name must not be reached. */
export const someUseCases = (named: Partial<UseCases> = {}): UseCases => ({
  validateAccount: notAsked('validateAccount'),
  stageAccount: notAsked('stageAccount'),
  processAccount: notAsked('processAccount'),
  bulkValidate: notAsked('bulkValidate'),
  bulkStage: notAsked('bulkStage'),
  bulkProcess: notAsked('bulkProcess'),
  addNotes: notAsked('addNotes'),
  addHistoricalStatements: notAsked('addHistoricalStatements'),
  addPaymentInstruction: notAsked('addPaymentInstruction'),
  addTransactions: notAsked('addTransactions'),
  transferStatus: notAsked('transferStatus'),
  accountImportSummary: notAsked('accountImportSummary'),
  accountImportsPage: notAsked('accountImportsPage'),
  allAccountImports: notAsked('allAccountImports'),
  answerOnce: notAsked('answerOnce'),
  forgetAnswers: notAsked('forgetAnswers'),
  removeDuePayloads: notAsked('forgetAnswers'),
  obtainToken: notAsked('obtainToken'),
  authenticate,
  reauthenticate: () => TE.right(undefined),
  noteKeyUses: notAsked('noteKeyUses'),
  audit: {
    seal: notAsked('seal'),
    list: notAsked('list'),
    heads: notAsked('heads'),
    verify: notAsked('verify'),
    recorded: notAsked('recorded'),
  },
  emails: {
    canSend: false,
    claimDue: notAsked('claimDue'),
    deliver: notAsked('deliver'),
    release: notAsked('release'),
  },
  operator,
  ...named,
})

/** Echoes what was sent, so that a test sees what reached the use case. */
export const echoing: Pick<UseCases, 'validateAccount' | 'stageAccount'> = {
  validateAccount: ({ payload }) => TE.right({ account: { payload }, warnings: [] }),
  stageAccount: ({ organisation }) =>
    TE.right({ outcome: 'created', importSupplier: organisation, externalAccountNumber: 'N1', warnings: [] }),
}

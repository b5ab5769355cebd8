import {
  type AccessTokenClaims,
  type BulkLine,
  type BulkResult,
  instantOf,
  type ServiceResult,
  type ImportService,
  type PortFailure,
} from '@account-import/core'
import { E } from '@account-import/core/fp'
import { type ServiceFixture, valueOf } from './service-fixture.js'
import { gasKey, organisation, processGas, sample } from './service.js'

/** The names of all functions in it, `operator.createTeam` among them. */
export type NamesOf<Part, Above extends string = ''> = {
  [Name in keyof Part & string]: Part[Name] extends (...given: never[]) => unknown
    ? `${Above}${Name}`
    : Part[Name] extends object
      ? NamesOf<Part[Name], `${Above}${Name}.`>
      : never
}[keyof Part & string]

type Call = (fixture: ServiceFixture) => Promise<ServiceResult<Readonly<{ _tag: string }>, unknown>>

/** A call of a use case that succeeds. */
export type ServiceCall = Readonly<{
  /** The state that it needs before. */
  given?: (fixture: ServiceFixture) => Promise<unknown>
  succeeds: Call
  /** The call that repeats a failed one; the same call by default. */
  again?: Call
  /** The tag of the refusal of the same call once it is done. */
  done?: string
  /** How many port calls differ; those after them are like the last one. */
  alike?: number
}>

type Read<Refused, Item> = Promise<ServiceResult<Refused | PortFailure, readonly Item[]>>

/** A list that a use case gives, read to its end; a port that fails on the way is the refusal. */
const everyItem = async <Refused, Item>(
  answer: Promise<ServiceResult<Refused, AsyncIterable<Item>>>,
): Read<Refused, Item> => {
  const listed = await answer
  if (!listed.ok) return listed
  const value: Item[] = []
  try {
    for await (const item of listed.value) value.push(item)
  } catch (error) {
    if (!(error instanceof Error) || error.cause === undefined) throw error
    return { ok: false, refusal: error.cause as PortFailure }
  }
  return { ok: true, value }
}

/** The outcomes of the accounts of a bulk request, read to its end; the first refusal, if there is one. */
const everyOutcome = async <Refused, RefusedOne, A>(
  answer: Promise<ServiceResult<Refused, AsyncIterable<BulkResult<RefusedOne, A>>>>,
): Promise<ServiceResult<Refused | RefusedOne | PortFailure, readonly A[]>> => {
  const results = await everyItem(answer)
  if (!results.ok) return results
  const outcomes = results.value.map(({ outcome }) => outcome)
  const refused = outcomes.find(E.isLeft)
  if (refused !== undefined) return { ok: false, refusal: refused.left }
  return { ok: true, value: outcomes.flatMap((outcome) => (E.isRight(outcome) ? [outcome.right] : [])) }
}

/** Nothing is known of it. */
export const nobody = { ...gasKey, externalAccountNumber: 'NOBODY' }

const someClaims: AccessTokenClaims = {
  apiKeyId: 'nobody',
  organisation,
  scopes: [],
  family: 'none',
  issuedAt: instantOf(0),
  expiresAt: instantOf(0),
}

const supplier = 'LEVANTE'
const team = processGas.operations_team_name
const undoing = {
  import_supplier_code: supplier,
  external_account_numbers: [gasKey.externalAccountNumber],
}
const list = { organisation, importSupplier: supplier, list: 'all' as const }
const submit = (name: string) => ({ organisation, payload: sample(name) })
const bulkProcessing = {
  organisation,
  payload: { import_supplier_code: supplier, operations_team_name: team },
}
const noAnswer = { answer: { status: 204, headers: {}, body: '' }, isFinal: true }
const keyed = { organisation, key: 'k', method: 'POST', path: '/', content: 'a' }

/** Accounts that there are not yet. */
export const newNumbers = ['NEW', 'NEW-2', 'NEW-3'] as const
export const newAccount = (number: string) => ({ ...sample('gas-account'), external_account_number: number })
const fresh = { organisation, payload: newAccount('NEW') }

async function* lines(): AsyncGenerator<BulkLine> {
  for (const [index, number] of newNumbers.entries())
    yield { line: index + 1, bytes: 2, json: async () => E.right({ payload: newAccount(number) }) }
}

const stageNew = async ({ imports }: ServiceFixture): Promise<void> => {
  for (const number of newNumbers)
    valueOf(await imports.stageAccount({ organisation, payload: newAccount(number) }))
}

/** Its next due time, for any outcome. */
const claimAndDeliver: Call = async ({ imports, clock }) => {
  clock.pass(3600)
  const [next] = valueOf(await imports.emails.claimDue(1))
  return next === undefined
    ? { ok: true, value: undefined }
    : imports.emails.deliver(next, new AbortController().signal)
}

/** A call about a run that was opened before. */
const onRun =
  <Refused extends Readonly<{ _tag: string }>>(
    use: (
      fixture: ServiceFixture,
      request: Readonly<{ organisation: string; id: string }>,
    ) => Promise<ServiceResult<Refused, unknown>>,
  ): Call =>
  async (fixture) => {
    const runs = await fixture.imports.importRunsPage({ organisation, after: undefined, limit: 1 })
    return runs.ok ? use(fixture, { organisation, id: runs.value.items[0]?.id ?? '' }) : runs
  }

const openRun = ({ imports }: ServiceFixture) =>
  imports.openImportRun({ organisation, payload: { import_supplier: supplier } })

/** A call on an open run. */
const ofRun = (use: Parameters<typeof onRun>[0]) => ({ given: openRun, succeeds: onRun(use) })

const addWebhook = ({ imports }: ServiceFixture) =>
  imports.operator.addWebhook({ organisation, url: 'https://hooks.example/imports' })

/** A call about the webhook that was added before. */
const onWebhook =
  <Refused extends Readonly<{ _tag: string }>>(
    use: (fixture: ServiceFixture, id: string) => Promise<ServiceResult<Refused, unknown>>,
  ): Call =>
  async (fixture) => {
    const webhooks = await fixture.imports.operator.listWebhooks()
    return webhooks.ok ? use(fixture, webhooks.value[0]?.id ?? 'gone') : webhooks
  }

const dismissal = { import_supplier: supplier, failures: [], reason: 'Closed' }

/** Every use case; one that is missing here does not compile. */
export const serviceCalls: Readonly<Record<NamesOf<Omit<ImportService, 'useCases'>>, ServiceCall>> = {
  'operator.disableOrganisation': {
    succeeds: (all) => all.imports.operator.disableOrganisation(organisation),
  },
  'operator.enableOrganisation': {
    given: ({ imports }) => imports.operator.disableOrganisation(organisation),
    succeeds: ({ imports }) => imports.operator.enableOrganisation(organisation),
  },
  'operator.revokeOrganisation': { succeeds: (all) => all.imports.operator.revokeOrganisation(organisation) },
  'operator.bindTeam': {
    succeeds: ({ imports }) => imports.operator.bindTeam({ name: team, organisation }),
  },
  'operator.unbindTeam': {
    given: ({ imports }) => imports.operator.bindTeam({ name: team, organisation }),
    succeeds: ({ imports }) => imports.operator.unbindTeam({ name: team, organisation }),
  },
  'operator.rotateApiKey': {
    succeeds: ({ imports, apiKeyId }) => imports.operator.rotateApiKey({ id: apiKeyId }),
  },
  reauthenticate: {
    succeeds: ({ imports, apiKeyId }) => imports.reauthenticate({ ...someClaims, apiKeyId }),
  },
  findImportRun: ofRun(({ imports }, request) => imports.findImportRun(request)),
  endSession: { succeeds: ({ imports, apiKeyId }) => imports.endSession({ ...someClaims, apiKeyId }) },
  noteKeyUses: {
    succeeds: async ({ imports, token }) => {
      const known = await imports.authenticate(token)
      return known.ok ? imports.noteKeyUses() : known
    },
  },
  authenticate: { succeeds: ({ imports, token }) => imports.authenticate(token) },
  obtainToken: {
    succeeds: ({ imports, apiKey }) => imports.obtainToken({ credentials: { apiKey }, address: 'here' }),
  },
  'operator.createApiKey': {
    succeeds: ({ imports }) => imports.operator.createApiKey({ organisation }),
  },
  'operator.listApiKeys': { succeeds: ({ imports }) => imports.operator.listApiKeys() },
  'operator.revokeApiKey': {
    succeeds: ({ imports, apiKeyId }) => imports.operator.revokeApiKey(apiKeyId),
  },
  'operator.createOrganisation': {
    succeeds: ({ imports }) => imports.operator.createOrganisation({ code: 'OTHER' }),
    done: 'AlreadyExists',
  },
  'operator.listOrganisations': {
    succeeds: ({ imports }) => imports.operator.listOrganisations(),
  },
  'operator.createTeam': {
    succeeds: ({ imports }) => imports.operator.createTeam('North'),
    done: 'AlreadyExists',
  },
  'operator.listTeams': { succeeds: ({ imports }) => imports.operator.listTeams() },
  usableNames: { succeeds: ({ imports }) => imports.usableNames(organisation) },
  validateAccount: { succeeds: ({ imports }) => imports.validateAccount(submit('gas-account')) },
  stageAccount: { succeeds: ({ imports }) => imports.stageAccount(fresh) },
  processAccount: {
    given: ({ imports }) => imports.stageAccount(fresh),
    succeeds: ({ imports }) =>
      imports.processAccount({
        organisation,
        payload: { ...processGas, external_account_number: 'NEW' },
      }),
    done: 'AccountAlreadyImported',
  },
  bulkValidate: {
    succeeds: ({ imports }) => everyOutcome(imports.bulkValidate({ organisation, lines: lines() })),
  },
  bulkStage: {
    succeeds: ({ imports }) => everyOutcome(imports.bulkStage({ organisation, lines: lines() })),
  },
  bulkProcess: {
    given: stageNew,
    succeeds: ({ imports }) => everyOutcome(imports.bulkProcess(bulkProcessing)),
  },
  bulkImport: {
    succeeds: ({ imports }) =>
      everyOutcome(imports.bulkImport({ organisation, lines: lines(), operationsTeam: team })),
    done: 'AccountAlreadyImported',
  },
  addNotes: { succeeds: ({ imports }) => imports.addNotes(submit('notes')) },
  addHistoricalStatements: {
    succeeds: ({ imports }) => imports.addHistoricalStatements(submit('historical-statements')),
    done: 'RequestFailedValidation',
  },
  addPaymentInstruction: {
    succeeds: ({ imports }) => imports.addPaymentInstruction(submit('payment-instruction')),
  },
  addTransactions: { succeeds: ({ imports }) => imports.addTransactions(submit('transactions')) },
  previewUndo: {
    succeeds: ({ imports }) => imports.previewUndo({ organisation, payload: undoing }),
  },
  undoAccounts: {
    // While the e-mail of an account is being sent, the account is kept.
    given: ({ imports, claimed }) => imports.emails.release(claimed),
    succeeds: async ({ imports }) => {
      const preview = await imports.previewUndo({ organisation, payload: undoing })
      if (!preview.ok) return preview
      const payload = { ...undoing, confirmation_code: preview.value.confirmationCode }
      return imports.undoAccounts({ organisation, payload })
    },
  },
  openImportRun: { succeeds: openRun },
  finishImportRun: ofRun(({ imports }, request) => imports.finishImportRun(request)),
  importRun: ofRun(({ imports }, request) => imports.importRun(request)),
  importRunsPage: {
    succeeds: ({ imports }) => imports.importRunsPage({ organisation, after: undefined, limit: 10 }),
  },
  importRunFailures: ofRun(({ imports }, request) =>
    imports.importRunFailures({ ...request, after: undefined, limit: 10 }),
  ),
  importRunAccounts: ofRun(({ imports }, request) =>
    imports.importRunAccounts({ ...request, after: undefined, limit: 10 }),
  ),
  openFailures: {
    succeeds: ({ imports }) => imports.openFailures({ ...list, after: undefined, limit: 10 }),
  },
  openFailureCounts: { succeeds: ({ imports }) => imports.openFailureCounts(list) },
  dismissFailures: {
    succeeds: ({ imports }) => imports.dismissFailures({ organisation, payload: dismissal }),
  },
  transferStatus: { succeeds: ({ imports }) => imports.transferStatus(gasKey) },
  accountImportSummary: {
    succeeds: ({ imports }) => imports.accountImportSummary({ organisation, importSupplier: supplier }),
  },
  accountImportsPage: {
    succeeds: ({ imports }) => imports.accountImportsPage({ ...list, after: undefined, limit: 10 }),
  },
  allAccountImports: { succeeds: ({ imports }) => everyItem(imports.allAccountImports(list)) },
  accountDigests: {
    succeeds: ({ imports }) =>
      imports.accountDigests({ organisation, importSupplier: supplier, after: undefined, limit: 10 }),
  },
  // After the supplier and the account there is a hash for each value.
  fieldDigests: { succeeds: ({ imports }) => imports.fieldDigests(gasKey), alike: 6 },
  answerOnce: {
    succeeds: ({ imports }) =>
      imports.answerOnce(keyed, async () => {
        const staged = await imports.stageAccount(fresh)
        return { ...noAnswer, isFinal: staged.ok }
      }),
  },
  forgetAnswers: { succeeds: ({ imports }) => imports.forgetAnswers(10) },
  removeDuePayloads: { succeeds: ({ imports }) => imports.removeDuePayloads(10) },
  'emails.claimDue': {
    given: ({ imports, claimed }) => imports.emails.release(claimed),
    succeeds: ({ imports }) => imports.emails.claimDue(1),
  },
  'emails.deliver': {
    succeeds: ({ imports, claimed }) => imports.emails.deliver(claimed, new AbortController().signal),
    again: claimAndDeliver,
  },
  'emails.release': { succeeds: ({ imports, claimed }) => imports.emails.release(claimed) },
  'webhooks.noteStandstills': {
    given: async (fixture) => {
      await addWebhook(fixture)
      await openRun(fixture)
      fixture.clock.pass(601)
    },
    succeeds: ({ imports }) => imports.webhooks.noteStandstills(10),
  },
  'webhooks.due': { succeeds: ({ imports }) => imports.webhooks.due(10) },
  'webhooks.deliver': {
    given: async (fixture) => {
      await addWebhook(fixture)
      await openRun(fixture)
    },
    succeeds: onWebhook(({ imports }, id) =>
      everyItem(imports.webhooks.deliver(id, new AbortController().signal)),
    ),
  },
  'operator.addWebhook': { succeeds: addWebhook },
  'operator.listWebhooks': { succeeds: ({ imports }) => imports.operator.listWebhooks() },
  'operator.testWebhook': {
    given: addWebhook,
    succeeds: onWebhook(({ imports }, id) => imports.operator.testWebhook(id)),
  },
  'operator.rotateWebhook': {
    given: addWebhook,
    succeeds: onWebhook(({ imports }, id) => imports.operator.rotateWebhook({ id })),
  },
  'operator.removeWebhook': {
    given: addWebhook,
    succeeds: onWebhook(({ imports }, id) => imports.operator.removeWebhook(id)),
    done: 'DoesNotExist',
  },
  'audit.seal': { succeeds: ({ imports }) => imports.audit.seal(1000) },
  'audit.heads': { succeeds: ({ imports }) => imports.audit.heads() },
  'audit.list': { succeeds: ({ imports }) => everyItem(imports.audit.list({})) },
  'audit.verify': {
    given: ({ imports }) => imports.audit.seal(1000),
    succeeds: ({ imports }) => everyItem(imports.audit.verify({ heads: [] })),
  },
  'audit.recorded': {
    succeeds: ({ imports }) =>
      imports.audit.recorded('rewrapDataKeys', async () => ({ ok: true, value: { rewrapped: 3 } })),
  },
  'operator.createSupplier': {
    succeeds: ({ imports }) => imports.operator.createSupplier({ code: 'OTHER', organisation }),
    done: 'AlreadyExists',
  },
  'operator.setSupplierStatus': {
    succeeds: ({ imports }) => imports.operator.setSupplierStatus({ code: supplier, status: 'paused' }),
  },
  'operator.configureSupplier': {
    succeeds: ({ imports }) =>
      imports.operator.configureSupplier({
        code: supplier,
        change: (settings) => ({ ...settings, documentRoot: 'levante' }),
      }),
  },
  'operator.showSupplier': { succeeds: ({ imports }) => imports.operator.showSupplier(supplier) },
  'operator.listSuppliers': { succeeds: ({ imports }) => imports.operator.listSuppliers() },
  'operator.listReachingOthers': {
    succeeds: ({ imports }) => imports.operator.listReachingOthers(),
  },
  'operator.setSkipped': {
    succeeds: ({ imports }) => imports.operator.setSkipped({ ...nobody, skipped: true }),
  },
  'operator.showAccount': { succeeds: ({ imports }) => imports.operator.showAccount(gasKey) },
  'operator.exportSubject': { succeeds: ({ imports }) => imports.operator.exportSubject(gasKey) },
  'operator.previewErasure': {
    succeeds: ({ imports }) => imports.operator.previewErasure(gasKey),
  },
  'operator.eraseSubject': {
    given: ({ imports }) => imports.stageAccount(fresh),
    succeeds: ({ imports }) => imports.operator.eraseSubject({ ...gasKey, externalAccountNumber: 'NEW' }),
  },
  'operator.missingDocuments': {
    succeeds: ({ imports }) => everyItem(imports.operator.missingDocuments(supplier)),
  },
  'operator.listEmails': {
    succeeds: ({ imports }) =>
      everyItem(imports.operator.listEmails({ importSupplier: supplier, list: undefined })),
  },
  'operator.retryEmail': {
    given: ({ imports, claimed }) => imports.emails.release(claimed),
    succeeds: ({ imports, claimed }) => imports.operator.retryEmail(claimed.email.id),
  },
  'operator.retryParkedEmails': {
    given: ({ ports, claimed: { email, token } }) => {
      const parked = { id: email.id, token, at: ports.clock.now(), code: 'message_refused', served: [] }
      return ports.outbox.settle({ ...parked, _tag: 'parked' })
    },
    succeeds: ({ imports }) => imports.operator.retryParkedEmails({ importSupplier: undefined }),
  },
}

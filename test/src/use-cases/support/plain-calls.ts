import {
  type AccessTokenClaims,
  type BulkLine,
  type BulkResult,
  instantOf,
  type ServiceResult,
  type ImportService,
  type PortFailure,
} from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import { type PlainWorld, valueOf } from './plain-world.js'
import { gasKey, organisation, processGas, sample } from './service.js'

/** The names of all functions in it, `operator.createTeam` among them. */
export type NamesOf<Part, Above extends string = ''> = {
  [Name in keyof Part & string]: Part[Name] extends (...given: never[]) => unknown
    ? `${Above}${Name}`
    : Part[Name] extends object
      ? NamesOf<Part[Name], `${Above}${Name}.`>
      : never
}[keyof Part & string]

type Call = (world: PlainWorld) => Promise<ServiceResult<Readonly<{ _tag: string }>, unknown>>

/** A call of a use case that succeeds. */
export type PlainCall = Readonly<{
  /** The state that it needs before. */
  given?: (world: PlainWorld) => Promise<unknown>
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
    yield { line: index + 1, bytes: 2, json: E.right({ payload: newAccount(number) }) }
}

const stageNew = async ({ plain }: PlainWorld): Promise<void> => {
  for (const number of newNumbers)
    valueOf(await plain.stageAccount({ organisation, payload: newAccount(number) }))
}

/** Its next due time, for any outcome. */
const claimAndDeliver: Call = async ({ plain, clock }) => {
  clock.pass(3600)
  const [next] = valueOf(await plain.emails.claimDue(1))
  return next === undefined
    ? { ok: true, value: undefined }
    : plain.emails.deliver(next, new AbortController().signal)
}

/** A call about a run that was opened before. */
const onRun =
  <Refused extends Readonly<{ _tag: string }>>(
    use: (
      world: PlainWorld,
      request: Readonly<{ organisation: string; id: string }>,
    ) => Promise<ServiceResult<Refused, unknown>>,
  ): Call =>
  async (world) => {
    const runs = await world.plain.importRunsPage({ organisation, after: undefined, limit: 1 })
    return runs.ok ? use(world, { organisation, id: runs.value.items[0]?.id ?? '' }) : runs
  }

const openRun = ({ plain }: PlainWorld) =>
  plain.openImportRun({ organisation, payload: { import_supplier: supplier } })

const addWebhook = ({ plain }: PlainWorld) =>
  plain.operator.addWebhook({ organisation, url: 'https://hooks.example/imports' })

/** A call about the webhook that was added before. */
const onWebhook =
  <Refused extends Readonly<{ _tag: string }>>(
    use: (world: PlainWorld, id: string) => Promise<ServiceResult<Refused, unknown>>,
  ): Call =>
  async (world) => {
    const webhooks = await world.plain.operator.listWebhooks()
    return webhooks.ok ? use(world, webhooks.value[0]?.id ?? 'gone') : webhooks
  }

/** Every use case; one that is missing here does not compile. */
export const plainCalls: Readonly<Record<NamesOf<Omit<ImportService, 'useCases'>>, PlainCall>> = {
  'operator.disableOrganisation': {
    succeeds: ({ plain }) => plain.operator.disableOrganisation(organisation),
  },
  'operator.enableOrganisation': {
    given: ({ plain }) => plain.operator.disableOrganisation(organisation),
    succeeds: ({ plain }) => plain.operator.enableOrganisation(organisation),
  },
  'operator.revokeOrganisation': { succeeds: ({ plain }) => plain.operator.revokeOrganisation(organisation) },
  'operator.bindTeam': { succeeds: ({ plain }) => plain.operator.bindTeam({ name: team, organisation }) },
  'operator.unbindTeam': {
    given: ({ plain }) => plain.operator.bindTeam({ name: team, organisation }),
    succeeds: ({ plain }) => plain.operator.unbindTeam({ name: team, organisation }),
  },
  'operator.rotateApiKey': {
    succeeds: ({ plain, apiKeyId }) => plain.operator.rotateApiKey({ id: apiKeyId }),
  },
  reauthenticate: { succeeds: ({ plain, apiKeyId }) => plain.reauthenticate({ ...someClaims, apiKeyId }) },
  findImportRun: { given: openRun, succeeds: onRun(({ plain }, request) => plain.findImportRun(request)) },
  endSession: { succeeds: ({ plain, apiKeyId }) => plain.endSession({ ...someClaims, apiKeyId }) },
  noteKeyUses: {
    succeeds: async ({ plain, token }) => {
      const known = await plain.authenticate(token)
      return known.ok ? plain.noteKeyUses() : known
    },
  },
  authenticate: { succeeds: ({ plain, token }) => plain.authenticate(token) },
  obtainToken: {
    succeeds: ({ plain, apiKey }) => plain.obtainToken({ credentials: { apiKey }, address: 'here' }),
  },
  'operator.createApiKey': { succeeds: ({ plain }) => plain.operator.createApiKey({ organisation }) },
  'operator.listApiKeys': { succeeds: ({ plain }) => plain.operator.listApiKeys() },
  'operator.revokeApiKey': { succeeds: ({ plain, apiKeyId }) => plain.operator.revokeApiKey(apiKeyId) },
  'operator.createOrganisation': {
    succeeds: ({ plain }) => plain.operator.createOrganisation({ code: 'OTHER' }),
    done: 'AlreadyExists',
  },
  'operator.listOrganisations': { succeeds: ({ plain }) => plain.operator.listOrganisations() },
  'operator.createTeam': {
    succeeds: ({ plain }) => plain.operator.createTeam('North'),
    done: 'AlreadyExists',
  },
  'operator.listTeams': { succeeds: ({ plain }) => plain.operator.listTeams() },
  usableNames: { succeeds: ({ plain }) => plain.usableNames(organisation) },
  validateAccount: { succeeds: ({ plain }) => plain.validateAccount(submit('gas-account')) },
  stageAccount: { succeeds: ({ plain }) => plain.stageAccount(fresh) },
  processAccount: {
    given: ({ plain }) => plain.stageAccount(fresh),
    succeeds: ({ plain }) =>
      plain.processAccount({ organisation, payload: { ...processGas, external_account_number: 'NEW' } }),
    done: 'AccountAlreadyImported',
  },
  bulkValidate: {
    succeeds: ({ plain }) => everyOutcome(plain.bulkValidate({ organisation, lines: lines() })),
  },
  bulkStage: { succeeds: ({ plain }) => everyOutcome(plain.bulkStage({ organisation, lines: lines() })) },
  bulkProcess: {
    given: stageNew,
    succeeds: ({ plain }) => everyOutcome(plain.bulkProcess(bulkProcessing)),
  },
  bulkImport: {
    succeeds: ({ plain }) =>
      everyOutcome(plain.bulkImport({ organisation, lines: lines(), operationsTeam: team })),
    done: 'AccountAlreadyImported',
  },
  addNotes: { succeeds: ({ plain }) => plain.addNotes(submit('notes')) },
  addHistoricalStatements: {
    succeeds: ({ plain }) => plain.addHistoricalStatements(submit('historical-statements')),
    done: 'RequestFailedValidation',
  },
  addPaymentInstruction: {
    succeeds: ({ plain }) => plain.addPaymentInstruction(submit('payment-instruction')),
  },
  addTransactions: { succeeds: ({ plain }) => plain.addTransactions(submit('transactions')) },
  previewUndo: {
    succeeds: ({ plain }) => plain.previewUndo({ organisation, payload: undoing }),
  },
  undoAccounts: {
    // While the e-mail of an account is being sent, the account is kept.
    given: ({ plain, claimed }) => plain.emails.release(claimed),
    succeeds: async ({ plain }) => {
      const preview = await plain.previewUndo({ organisation, payload: undoing })
      if (!preview.ok) return preview
      const payload = { ...undoing, confirmation_code: preview.value.confirmationCode }
      return plain.undoAccounts({ organisation, payload })
    },
  },
  openImportRun: { succeeds: openRun },
  finishImportRun: {
    given: openRun,
    succeeds: onRun(({ plain }, request) => plain.finishImportRun(request)),
  },
  importRun: { given: openRun, succeeds: onRun(({ plain }, request) => plain.importRun(request)) },
  importRunsPage: {
    succeeds: ({ plain }) => plain.importRunsPage({ organisation, after: undefined, limit: 10 }),
  },
  importRunFailures: {
    given: openRun,
    succeeds: onRun(({ plain }, request) =>
      plain.importRunFailures({ ...request, after: undefined, limit: 10 }),
    ),
  },
  importRunAccounts: {
    given: openRun,
    succeeds: onRun(({ plain }, request) =>
      plain.importRunAccounts({ ...request, after: undefined, limit: 10 }),
    ),
  },
  transferStatus: { succeeds: ({ plain }) => plain.transferStatus(gasKey) },
  accountImportSummary: {
    succeeds: ({ plain }) => plain.accountImportSummary({ organisation, importSupplier: supplier }),
  },
  accountImportsPage: {
    succeeds: ({ plain }) => plain.accountImportsPage({ ...list, after: undefined, limit: 10 }),
  },
  allAccountImports: { succeeds: ({ plain }) => everyItem(plain.allAccountImports(list)) },
  accountDigests: {
    succeeds: ({ plain }) =>
      plain.accountDigests({ organisation, importSupplier: supplier, after: undefined, limit: 10 }),
  },
  // After the supplier and the account there is a hash for each value.
  fieldDigests: { succeeds: ({ plain }) => plain.fieldDigests(gasKey), alike: 6 },
  answerOnce: {
    succeeds: ({ plain }) =>
      plain.answerOnce(keyed, async () => {
        const staged = await plain.stageAccount(fresh)
        return { ...noAnswer, isFinal: staged.ok }
      }),
  },
  forgetAnswers: { succeeds: ({ plain }) => plain.forgetAnswers(10) },
  removeDuePayloads: { succeeds: ({ plain }) => plain.removeDuePayloads(10) },
  'emails.claimDue': {
    given: ({ plain, claimed }) => plain.emails.release(claimed),
    succeeds: ({ plain }) => plain.emails.claimDue(1),
  },
  'emails.deliver': {
    succeeds: ({ plain, claimed }) => plain.emails.deliver(claimed, new AbortController().signal),
    again: claimAndDeliver,
  },
  'emails.release': { succeeds: ({ plain, claimed }) => plain.emails.release(claimed) },
  'webhooks.noteStandstills': {
    given: async (world) => {
      await addWebhook(world)
      await openRun(world)
      world.clock.pass(601)
    },
    succeeds: ({ plain }) => plain.webhooks.noteStandstills(10),
  },
  'webhooks.due': { succeeds: ({ plain }) => plain.webhooks.due(10) },
  'webhooks.deliver': {
    given: async (world) => {
      await addWebhook(world)
      await openRun(world)
    },
    succeeds: onWebhook(({ plain }, id) =>
      everyItem(plain.webhooks.deliver(id, new AbortController().signal)),
    ),
  },
  'operator.addWebhook': { succeeds: addWebhook },
  'operator.listWebhooks': { succeeds: ({ plain }) => plain.operator.listWebhooks() },
  'operator.testWebhook': {
    given: addWebhook,
    succeeds: onWebhook(({ plain }, id) => plain.operator.testWebhook(id)),
  },
  'operator.rotateWebhook': {
    given: addWebhook,
    succeeds: onWebhook(({ plain }, id) => plain.operator.rotateWebhook({ id })),
  },
  'operator.removeWebhook': {
    given: addWebhook,
    succeeds: onWebhook(({ plain }, id) => plain.operator.removeWebhook(id)),
    done: 'DoesNotExist',
  },
  'audit.seal': { succeeds: ({ plain }) => plain.audit.seal(1000) },
  'audit.heads': { succeeds: ({ plain }) => plain.audit.heads() },
  'audit.list': { succeeds: ({ plain }) => everyItem(plain.audit.list({})) },
  'audit.verify': {
    given: ({ plain }) => plain.audit.seal(1000),
    succeeds: ({ plain }) => everyItem(plain.audit.verify({ heads: [] })),
  },
  'audit.recorded': {
    succeeds: ({ plain }) =>
      plain.audit.recorded('rewrapDataKeys', async () => ({ ok: true, value: { rewrapped: 3 } })),
  },
  'operator.createSupplier': {
    succeeds: ({ plain }) => plain.operator.createSupplier({ code: 'OTHER', organisation }),
    done: 'AlreadyExists',
  },
  'operator.setSupplierStatus': {
    succeeds: ({ plain }) => plain.operator.setSupplierStatus({ code: supplier, status: 'paused' }),
  },
  'operator.configureSupplier': {
    succeeds: ({ plain }) =>
      plain.operator.configureSupplier({
        code: supplier,
        change: (settings) => ({ ...settings, documentRoot: 'levante' }),
      }),
  },
  'operator.showSupplier': { succeeds: ({ plain }) => plain.operator.showSupplier(supplier) },
  'operator.listSuppliers': { succeeds: ({ plain }) => plain.operator.listSuppliers() },
  'operator.listReachingOthers': { succeeds: ({ plain }) => plain.operator.listReachingOthers() },
  'operator.setSkipped': { succeeds: ({ plain }) => plain.operator.setSkipped({ ...nobody, skipped: true }) },
  'operator.showAccount': { succeeds: ({ plain }) => plain.operator.showAccount(gasKey) },
  'operator.exportSubject': { succeeds: ({ plain }) => plain.operator.exportSubject(gasKey) },
  'operator.previewErasure': { succeeds: ({ plain }) => plain.operator.previewErasure(gasKey) },
  'operator.eraseSubject': {
    given: ({ plain }) => plain.stageAccount(fresh),
    succeeds: ({ plain }) => plain.operator.eraseSubject({ ...gasKey, externalAccountNumber: 'NEW' }),
  },
  'operator.missingDocuments': {
    succeeds: ({ plain }) => everyItem(plain.operator.missingDocuments(supplier)),
  },
  'operator.listEmails': {
    succeeds: ({ plain }) =>
      everyItem(plain.operator.listEmails({ importSupplier: supplier, list: undefined })),
  },
  'operator.retryEmail': {
    given: ({ plain, claimed }) => plain.emails.release(claimed),
    succeeds: ({ plain, claimed }) => plain.operator.retryEmail(claimed.email.id),
  },
  'operator.retryParkedEmails': {
    given: ({ ports, claimed: { email, token } }) => {
      const parked = { id: email.id, token, at: ports.clock.now(), code: 'message_refused', served: [] }
      return ports.outbox.settle({ ...parked, _tag: 'parked' })
    },
    succeeds: ({ plain }) => plain.operator.retryParkedEmails({ importSupplier: undefined }),
  },
}

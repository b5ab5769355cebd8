import type { BulkLine, BulkResult, PlainResult, PlainUseCases, PortFailure } from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import { sample } from './samples.js'
import { valueOf, type PlainWorld } from './plain-world.js'
import { gasKey, organisation, processGas } from './service.js'

/** The names of all functions below, `operator.createTeam` among them. */
export type NamesOf<Part, Above extends string = ''> = {
  [Name in keyof Part & string]: Part[Name] extends (...given: never[]) => unknown
    ? `${Above}${Name}`
    : Part[Name] extends object
      ? NamesOf<Part[Name], `${Above}${Name}.`>
      : never
}[keyof Part & string]

type Call = (world: PlainWorld) => Promise<PlainResult<Readonly<{ _tag: string }>, unknown>>

/** One that succeeds; and one that is refused, by the tag, where the use case refuses anything by itself. */
export type PlainCall = Readonly<{ succeeds: Call; refused?: readonly [tag: string, call: Call] }>

const supplier = 'LEVANTE'
const nobody = { ...gasKey, externalAccountNumber: 'NOBODY' }
const list = { organisation, importSupplier: supplier, list: 'all' as const }
const elsewhere = { ...list, importSupplier: 'NOBODY' }
const submit = (name: string) => ({ organisation, payload: sample(name) })
const nonsense = { organisation, payload: {} }
const processing = (payload: object) => ({ organisation, payload: { ...processGas, ...payload } })
const bulkProcessing = (team: string) => ({
  organisation,
  payload: { import_supplier_code: supplier, operations_team_name: team },
})
const fresh = { ...sample('gas-account'), external_account_number: 'NEW' }

async function* aLine(): AsyncGenerator<BulkLine> {
  yield { line: 1, bytes: 2, json: E.right({ payload: fresh }) }
}

/** What became of the first account of a bulk request: a port that fails, fails there. */
const firstOutcome = async <Refused, A>(
  results: AsyncIterable<BulkResult<Refused, A>>,
): Promise<PlainResult<Refused | PortFailure, A>> => {
  for await (const { outcome } of results)
    return E.isRight(outcome) ? { ok: true, value: outcome.right } : { ok: false, refusal: outcome.left }
  throw new Error('a result was expected')
}

/** Every use case; one that is missing here does not compile. */
export const plainCalls: Readonly<Record<NamesOf<PlainUseCases>, PlainCall>> = {
  validateAccount: {
    succeeds: ({ plain }) => plain.validateAccount(submit('gas-account')),
    refused: ['AccountFailedValidation', ({ plain }) => plain.validateAccount(nonsense)],
  },
  stageAccount: {
    succeeds: ({ plain }) => plain.stageAccount({ organisation, payload: fresh }),
    refused: ['AccountAlreadyImported', ({ plain }) => plain.stageAccount(submit('gas-account'))],
  },
  processAccount: {
    succeeds: async ({ plain }) => {
      await plain.stageAccount({ organisation, payload: fresh })
      return plain.processAccount(processing({ external_account_number: 'NEW' }))
    },
    refused: [
      'NothingStaged',
      ({ plain }) => plain.processAccount(processing({ external_account_number: 'NEW' })),
    ],
  },
  bulkValidate: {
    succeeds: async ({ plain }) =>
      firstOutcome(valueOf(await plain.bulkValidate({ organisation, lines: aLine() }))),
  },
  bulkStage: {
    succeeds: async ({ plain }) =>
      firstOutcome(valueOf(await plain.bulkStage({ organisation, lines: aLine() }))),
  },
  bulkProcess: {
    succeeds: ({ plain }) => plain.bulkProcess(bulkProcessing('Migration team')),
    refused: ['OperationsTeamDoesNotExist', ({ plain }) => plain.bulkProcess(bulkProcessing('Nobody'))],
  },
  addNotes: {
    succeeds: ({ plain }) => plain.addNotes(submit('notes')),
    refused: ['RequestFailedValidation', ({ plain }) => plain.addNotes(nonsense)],
  },
  addHistoricalStatements: {
    succeeds: ({ plain }) => plain.addHistoricalStatements(submit('historical-statements')),
    refused: ['RequestFailedValidation', ({ plain }) => plain.addHistoricalStatements(nonsense)],
  },
  addPaymentInstruction: {
    succeeds: ({ plain }) => plain.addPaymentInstruction(submit('payment-instruction')),
    refused: [
      'PaymentInstructionNotFound',
      ({ plain }) =>
        plain.addPaymentInstruction({
          organisation,
          payload: { ...sample('payment-instruction'), reference: 'unknown' },
        }),
    ],
  },
  addTransactions: {
    succeeds: ({ plain }) => plain.addTransactions(submit('transactions')),
    refused: ['RequestFailedValidation', ({ plain }) => plain.addTransactions(nonsense)],
  },
  transferStatus: {
    succeeds: ({ plain }) => plain.transferStatus(gasKey),
    refused: ['AccountImportNotFound', ({ plain }) => plain.transferStatus(nobody)],
  },
  accountImportSummary: {
    succeeds: ({ plain }) => plain.accountImportSummary({ organisation, importSupplier: supplier }),
    refused: ['SupplierNotFound', ({ plain }) => plain.accountImportSummary(elsewhere)],
  },
  accountImportsPage: {
    succeeds: ({ plain }) => plain.accountImportsPage({ ...list, after: undefined, limit: 10 }),
    refused: [
      'SupplierNotFound',
      ({ plain }) => plain.accountImportsPage({ ...elsewhere, after: undefined, limit: 10 }),
    ],
  },
  allAccountImports: {
    succeeds: ({ plain }) => plain.allAccountImports(list),
    refused: ['SupplierNotFound', ({ plain }) => plain.allAccountImports(elsewhere)],
  },
  obtainToken: {
    succeeds: ({ plain, apiKey }) => plain.obtainToken({ credentials: { apiKey }, address: 'here' }),
    refused: [
      'AuthenticationFailed',
      ({ plain }) => plain.obtainToken({ credentials: { apiKey: 'guessed' }, address: 'here' }),
    ],
  },
  authenticate: {
    succeeds: ({ plain, token }) => plain.authenticate(token),
    refused: ['AuthenticationFailed', ({ plain }) => plain.authenticate('guessed')],
  },
  'emails.claimDue': { succeeds: ({ plain }) => plain.emails.claimDue(1) },
  'emails.deliver': {
    succeeds: ({ plain, claimed }) => plain.emails.deliver(claimed, new AbortController().signal),
  },
  'emails.release': { succeeds: ({ plain, claimed }) => plain.emails.release(claimed) },
  'operator.createOrganisation': {
    succeeds: ({ plain }) => plain.operator.createOrganisation({ code: 'OTHER' }),
    refused: ['AlreadyExists', ({ plain }) => plain.operator.createOrganisation({ code: organisation })],
  },
  'operator.listOrganisations': { succeeds: ({ plain }) => plain.operator.listOrganisations() },
  'operator.createSupplier': {
    succeeds: ({ plain }) => plain.operator.createSupplier({ code: 'OTHER', organisation }),
    refused: [
      'AlreadyExists',
      ({ plain }) => plain.operator.createSupplier({ code: supplier, organisation }),
    ],
  },
  'operator.setSupplierStatus': {
    succeeds: ({ plain }) => plain.operator.setSupplierStatus({ code: supplier, status: 'paused' }),
    refused: [
      'DoesNotExist',
      ({ plain }) => plain.operator.setSupplierStatus({ code: 'NOBODY', status: 'paused' }),
    ],
  },
  'operator.configureSupplier': {
    succeeds: ({ plain }) =>
      plain.operator.configureSupplier({
        code: supplier,
        change: (settings) => ({ ...settings, documentRoot: 'levante' }),
      }),
    refused: [
      'InputNotValid',
      ({ plain }) =>
        plain.operator.configureSupplier({
          code: supplier,
          change: (settings) => ({ ...settings, documentRoot: '../other' }),
        }),
    ],
  },
  'operator.showSupplier': {
    succeeds: ({ plain }) => plain.operator.showSupplier(supplier),
    refused: ['DoesNotExist', ({ plain }) => plain.operator.showSupplier('NOBODY')],
  },
  'operator.listSuppliers': { succeeds: ({ plain }) => plain.operator.listSuppliers() },
  'operator.createTeam': {
    succeeds: ({ plain }) => plain.operator.createTeam('North'),
    refused: ['AlreadyExists', ({ plain }) => plain.operator.createTeam(processGas.operations_team_name)],
  },
  'operator.listTeams': { succeeds: ({ plain }) => plain.operator.listTeams() },
  'operator.createApiKey': {
    succeeds: ({ plain }) => plain.operator.createApiKey({ organisation }),
    refused: ['DoesNotExist', ({ plain }) => plain.operator.createApiKey({ organisation: 'NOBODY' })],
  },
  'operator.listApiKeys': { succeeds: ({ plain }) => plain.operator.listApiKeys() },
  'operator.revokeApiKey': {
    succeeds: ({ plain, apiKeyId }) => plain.operator.revokeApiKey(apiKeyId),
    refused: ['DoesNotExist', ({ plain }) => plain.operator.revokeApiKey('nobody')],
  },
  'operator.setSkipped': {
    succeeds: ({ plain }) => plain.operator.setSkipped({ ...nobody, skipped: true }),
    refused: ['AccountIsImported', ({ plain }) => plain.operator.setSkipped({ ...gasKey, skipped: true })],
  },
  'operator.showAccount': {
    succeeds: ({ plain }) => plain.operator.showAccount(gasKey),
    refused: ['DoesNotExist', ({ plain }) => plain.operator.showAccount(nobody)],
  },
  'operator.missingDocuments': {
    succeeds: ({ plain }) => plain.operator.missingDocuments(supplier),
    refused: ['DoesNotExist', ({ plain }) => plain.operator.missingDocuments('NOBODY')],
  },
  'operator.listEmails': {
    succeeds: ({ plain }) => plain.operator.listEmails({ importSupplier: supplier, list: undefined }),
    refused: [
      'DoesNotExist',
      ({ plain }) => plain.operator.listEmails({ importSupplier: 'NOBODY', list: undefined }),
    ],
  },
  'operator.retryEmail': {
    succeeds: async ({ plain, claimed }) => {
      await plain.emails.release(claimed)
      return plain.operator.retryEmail(claimed.email.id)
    },
    refused: ['EmailIsBeingSent', ({ plain, claimed }) => plain.operator.retryEmail(claimed.email.id)],
  },
  'operator.retryParkedEmails': {
    succeeds: ({ plain }) => plain.operator.retryParkedEmails({ importSupplier: undefined }),
    refused: ['DoesNotExist', ({ plain }) => plain.operator.retryParkedEmails({ importSupplier: 'NOBODY' })],
  },
}

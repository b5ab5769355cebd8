import type { BulkLine, PlainUseCases } from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import { accessCalls } from './access-calls.js'
import { everyItem, everyOutcome } from './every-item.js'
import { nobody } from './nobody.js'
import { auditCalls } from './audit-calls.js'
import type { Call, NamesOf, PlainCall } from './plain-call.js'
import { sample } from './samples.js'
import { valueOf, type PlainWorld } from './plain-world.js'
import { gasKey, organisation, processGas } from './service.js'
import { subjectCalls } from './subject-calls.js'

const supplier = 'LEVANTE'
const list = { organisation, importSupplier: supplier, list: 'all' as const }
const elsewhere = { ...list, importSupplier: 'NOBODY' }
const submit = (name: string) => ({ organisation, payload: sample(name) })
const nonsense = { organisation, payload: {} }
const processing = (payload: object) => ({ organisation, payload: { ...processGas, ...payload } })
const bulkProcessing = (team: string) => ({
  organisation,
  payload: { import_supplier_code: supplier, operations_team_name: team },
})
const noAnswer = { answer: { status: 204, headers: {}, body: '' }, isFinal: true }
const keyed = (content: string) => ({ organisation, key: 'k', method: 'POST', path: '/', content })

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

/** When it is due again, whatever became of it. */
const claimAndDeliver: Call = async ({ plain, clock }) => {
  clock.pass(3600)
  const [next] = valueOf(await plain.emails.claimDue(1))
  return next === undefined
    ? { ok: true, value: undefined }
    : plain.emails.deliver(next, new AbortController().signal)
}

/** Every use case; one that is missing here does not compile. */
export const plainCalls: Readonly<Record<NamesOf<PlainUseCases>, PlainCall>> = {
  ...accessCalls,
  validateAccount: {
    succeeds: ({ plain }) => plain.validateAccount(submit('gas-account')),
    refused: ['AccountFailedValidation', ({ plain }) => plain.validateAccount(nonsense)],
  },
  stageAccount: {
    succeeds: ({ plain }) => plain.stageAccount(fresh),
    refused: ['AccountAlreadyImported', ({ plain }) => plain.stageAccount(submit('gas-account'))],
  },
  processAccount: {
    given: ({ plain }) => plain.stageAccount(fresh),
    succeeds: ({ plain }) => plain.processAccount(processing({ external_account_number: 'NEW' })),
    done: 'AccountAlreadyImported',
    refused: [
      'NothingStaged',
      ({ plain }) => plain.processAccount(processing({ external_account_number: 'NEW' })),
    ],
  },
  bulkValidate: {
    succeeds: ({ plain }) => everyOutcome(plain.bulkValidate({ organisation, lines: lines() })),
  },
  bulkStage: {
    succeeds: ({ plain }) => everyOutcome(plain.bulkStage({ organisation, lines: lines() })),
  },
  bulkProcess: {
    given: stageNew,
    succeeds: ({ plain }) => everyOutcome(plain.bulkProcess(bulkProcessing('Migration team'))),
    refused: ['OperationsTeamDoesNotExist', ({ plain }) => plain.bulkProcess(bulkProcessing('Nobody'))],
  },
  addNotes: {
    succeeds: ({ plain }) => plain.addNotes(submit('notes')),
    refused: ['RequestFailedValidation', ({ plain }) => plain.addNotes(nonsense)],
  },
  addHistoricalStatements: {
    succeeds: ({ plain }) => plain.addHistoricalStatements(submit('historical-statements')),
    done: 'RequestFailedValidation',
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
    succeeds: ({ plain }) => everyItem(plain.allAccountImports(list)),
    refused: ['SupplierNotFound', ({ plain }) => plain.allAccountImports(elsewhere)],
  },
  answerOnce: {
    succeeds: ({ plain }) =>
      plain.answerOnce(keyed('a'), async () => {
        const staged = await plain.stageAccount(fresh)
        return { ...noAnswer, isFinal: staged.ok }
      }),
    refused: [
      'IdempotencyKeyReused',
      async ({ plain }) => {
        await plain.answerOnce(keyed('a'), async () => noAnswer)
        return plain.answerOnce(keyed('b'), async () => noAnswer)
      },
    ],
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
  ...auditCalls,
  'operator.createSupplier': {
    succeeds: ({ plain }) => plain.operator.createSupplier({ code: 'OTHER', organisation }),
    done: 'AlreadyExists',
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
  'operator.listReachingOthers': { succeeds: ({ plain }) => plain.operator.listReachingOthers() },
  'operator.setSkipped': {
    succeeds: ({ plain }) => plain.operator.setSkipped({ ...nobody, skipped: true }),
    refused: ['AccountIsImported', ({ plain }) => plain.operator.setSkipped({ ...gasKey, skipped: true })],
  },
  'operator.showAccount': {
    succeeds: ({ plain }) => plain.operator.showAccount(gasKey),
    refused: ['DoesNotExist', ({ plain }) => plain.operator.showAccount(nobody)],
  },
  ...subjectCalls,
  'operator.missingDocuments': {
    succeeds: ({ plain }) => everyItem(plain.operator.missingDocuments(supplier)),
    refused: ['DoesNotExist', ({ plain }) => plain.operator.missingDocuments('NOBODY')],
  },
  'operator.listEmails': {
    succeeds: ({ plain }) =>
      everyItem(plain.operator.listEmails({ importSupplier: supplier, list: undefined })),
    refused: [
      'DoesNotExist',
      ({ plain }) => plain.operator.listEmails({ importSupplier: 'NOBODY', list: undefined }),
    ],
  },
  'operator.retryEmail': {
    given: ({ plain, claimed }) => plain.emails.release(claimed),
    succeeds: ({ plain, claimed }) => plain.operator.retryEmail(claimed.email.id),
    refused: ['EmailIsBeingSent', ({ plain, claimed }) => plain.operator.retryEmail(claimed.email.id)],
  },
  'operator.retryParkedEmails': {
    given: ({ ports, claimed: { email, token } }) => {
      const parked = { id: email.id, token, at: ports.clock.now(), code: 'message_refused', served: [] }
      return ports.outbox.settle({ ...parked, _tag: 'parked' })()
    },
    succeeds: ({ plain }) => plain.operator.retryParkedEmails({ importSupplier: undefined }),
    refused: ['DoesNotExist', ({ plain }) => plain.operator.retryParkedEmails({ importSupplier: 'NOBODY' })],
  },
}

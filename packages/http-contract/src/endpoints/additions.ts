import { type UndoneAccounts, undoRefusals } from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { answered, endpoint, made, ok, oneOf, submission } from '../endpoint.js'
import { transactionData } from '../problems.js'

/** Refusals of every request that adds data to a created account. */
const additionRefusals = {
  RequestFailedValidation: true,
  SupplierNotOngoing: true,
  AccountNotFound: true,
  RefusedByPlatform: true,
  PortFailure: true,
} as const

/** The outcome of one note. `created_at`: time of the note on the account, `YYYY-MM-DDTHH:MM:SSZ`. */
const addedNote = t.type(
  {
    created_at: t.string,
    body: t.string,
    status: oneOf(['NOTE_CREATION_SUCCESS', 'NOTE_ALREADY_EXISTS']),
  },
  'AddedNote',
)

/** One outcome for each note, in the order of the request. */
const addedNotes = t.readonlyArray(addedNote, 'AddedNotes')

const addNotes = endpoint({
  method: 'POST',
  path: '/v1/data-import/notes/create/',
  scopes: ['post-import'],
  summary: 'Adds notes to a created account. Skips notes that the account already has.',
  body: 'notesRequest',
  statuses: [201],
  success: addedNotes,
  refusals: additionRefusals,
  call: (useCases, request) =>
    answered(useCases.addNotes(submission(request)), ({ notes, warnings }) =>
      made(
        notes.map(({ created_at, body, status }) => ({
          created_at: toWireDatetime(created_at),
          body,
          status,
        })),
        warnings,
      ),
    ),
})

const echoedStatement = t.intersection(
  [
    t.type({ bill_period_from_date: t.string, bill_period_to_date: t.string, statement_id: t.string }),
    t.partial({
      issued_date: t.string,
      number: t.string,
      gross_amount: t.union([t.number, t.string]),
      statement_path: t.string,
    }),
  ],
  'EchoedStatement',
)

/** The accepted request: its known fields, amounts in the form of the request. */
const echoedStatements = t.type(
  {
    import_supplier: t.string,
    external_account_number: t.string,
    statements: t.readonlyArray(echoedStatement),
  },
  'EchoedStatements',
)

const addHistoricalStatements = endpoint({
  method: 'POST',
  path: '/v1/data-import/historical-statements/create/',
  scopes: ['post-import'],
  summary: 'Adds bills from before the migration to a created account: all bills of the request, or none.',
  body: 'historicalStatementsRequest',
  statuses: [201],
  success: echoedStatements,
  refusals: additionRefusals,
  call: (useCases, asked) =>
    answered(useCases.addHistoricalStatements(submission(asked)), ({ request, warnings }) =>
      made(request, warnings),
    ),
})

const addedPaymentInstruction = t.type(
  { platform_account_number: t.string, reference: t.string },
  'AddedPaymentInstruction',
)

const addPaymentInstruction = endpoint({
  method: 'POST',
  path: '/v1/data-import/payment-instruction/create/',
  scopes: ['post-import'],
  summary:
    'Verifies a payment instruction with its vendor, and adds it to a created account if it is usable.',
  body: 'paymentInstructionRequest',
  statuses: [201],
  success: addedPaymentInstruction,
  refusals: {
    ...additionRefusals,
    PaymentInstructionNotFound: true,
    PaymentInstructionNotUsable: true,
    PaymentVendorRefused: true,
    PaymentVendorUnavailable: true,
    PaymentVendorUnreachable: true,
  },
  // An instruction that the account already has gets the same response.
  call: (useCases, request) =>
    answered(
      useCases.addPaymentInstruction(submission(request)),
      ({ platformAccountNumber, reference, warnings }) =>
        made({ platform_account_number: platformAccountNumber, reference }, warnings),
    ),
})

const transactionResult = t.type(
  {
    status: oneOf(['TRANSACTION_ADDED_TO_ACCOUNT', 'TRANSACTION_ALREADY_EXISTS']),
    transaction_data: transactionData,
  },
  'TransactionResult',
)

/** One result for each transaction of the request, in its order. */
const addedTransactions = t.type({ results: t.readonlyArray(transactionResult) }, 'AddedTransactions')

const addTransactions = endpoint({
  method: 'POST',
  path: '/v1/data-import/transactions/create/',
  scopes: ['post-import'],
  summary:
    'Adds transactions to a created account, in their order, up to the first that fails. Skips transactions that were added before.',
  query: 'transactions',
  body: 'transactionsRequest',
  statuses: [201],
  success: addedTransactions,
  refusals: { ...additionRefusals, TransactionOutsideOpenPeriod: true, IdempotencyKeyInProgress: true },
  call: (useCases, request) =>
    answered(
      useCases.addTransactions({
        ...submission(request),
        claimed: request.claimed,
        checkPreviouslyAdded: request.query.check_previously_added ?? true,
        forceAddToCurrentStatement: request.query.force_add_to_current_statement ?? true,
      }),
      ({ results, warnings }) => made({ results }, warnings),
    ),
})

const undoneAccount = t.type(
  { external_account_number: t.string, platform_account_number: t.string, additions: t.number },
  'UndoneAccount',
)

const keptAccount = t.type({ external_account_number: t.string, reason: oneOf(undoRefusals) }, 'KeptAccount')

/** Both lists in the order of the request, each number once. */
const undoneAccounts = t.type(
  { accounts: t.readonlyArray(undoneAccount), kept: t.readonlyArray(keptAccount) },
  'UndoneAccounts',
)
type UndoneAccountsBody = t.TypeOf<typeof undoneAccounts>

const undoPreview = t.intersection(
  [undoneAccounts, t.type({ confirmation_code: t.string, expires_at: t.string })],
  'UndoPreview',
)

const bodyOf = ({ accounts, kept }: UndoneAccounts): UndoneAccountsBody => ({
  accounts: accounts.map(({ externalAccountNumber, platformAccountNumber, additions }) => ({
    external_account_number: externalAccountNumber,
    platform_account_number: platformAccountNumber,
    additions,
  })),
  kept: kept.map(({ externalAccountNumber, reason: why }) => ({
    external_account_number: externalAccountNumber,
    reason: why,
  })),
})

const refusals = { RequestFailedValidation: true, SupplierComplete: true, PortFailure: true } as const

const previewUndo = endpoint({
  method: 'POST',
  path: '/v1/data-import/account-undo/preview/',
  scopes: ['undo'],
  summary:
    'Lists the created accounts that can be undone, and those that are kept, with the reason. Changes nothing.',
  body: 'undoPreviewRequest',
  statuses: [200],
  success: undoPreview,
  refusals,
  changesNothing: () => true,
  call: (useCases, request) =>
    answered(useCases.previewUndo(submission(request)), ({ confirmationCode, expiresAt, ...found }) =>
      ok({ ...bodyOf(found), confirmation_code: confirmationCode, expires_at: expiresAt }),
    ),
})

const undoAccounts = endpoint({
  method: 'POST',
  path: '/v1/data-import/account-undo/',
  scopes: ['undo'],
  summary: 'Undoes created accounts, as shown by a preview of the last 15 minutes.',
  body: 'undoRequest',
  statuses: [200],
  success: undoneAccounts,
  refusals: { ...refusals, UndoNotConfirmed: true },
  call: (useCases, request) =>
    answered(useCases.undoAccounts(submission(request)), (undone) => ok(bodyOf(undone))),
})

/** Endpoints for accounts that were created. */
export const additionEndpoints = {
  addNotes,
  addHistoricalStatements,
  addPaymentInstruction,
  addTransactions,
  previewUndo,
  undoAccounts,
} as const

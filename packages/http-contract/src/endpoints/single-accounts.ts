import * as t from 'io-ts'
import { answered, endpoint, submission, submissionOfRun } from '../endpoint.js'
import { warningHeaders } from '../warning-headers.js'

/** Whether a request to process asks for a dry run. */
export const isDryRun = (payload: unknown): boolean =>
  typeof payload === 'object' && payload !== null && 'dry_run' in payload && payload.dry_run === true

const validateAccount = endpoint({
  method: 'POST',
  path: '/v1/data-import/validate-account/',
  scope: 'validate',
  summary: 'Checks an account and answers it as accepted; stores nothing.',
  body: 'account',
  statuses: [200],
  // The account as accepted: the fields that were sent and are known; transaction amounts as text.
  success: t.UnknownRecord,
  refusals: { AccountFailedValidation: true, PortFailure: true },
  changesNothing: () => true,
  call: (useCases, request) =>
    answered(useCases.validateAccount(submission(request)), ({ account, warnings }) => ({
      status: 200,
      headers: warningHeaders(warnings),
      body: account,
    })),
})

const stagedAccount = t.type(
  { import_supplier: t.string, external_account_number: t.string },
  'StagedAccount',
)
export type StagedAccount = t.TypeOf<typeof stagedAccount>

const stageAccount = endpoint({
  method: 'POST',
  path: '/v1/data-import/account-import-process/create-or-update/',
  scope: 'stage',
  summary: 'Checks an account and stores it for processing; may be repeated, the last data counts.',
  body: 'account',
  namesRun: true,
  statuses: [201, 200],
  success: stagedAccount,
  refusals: {
    AccountFailedValidation: true,
    AccountAlreadyImported: true,
    AccountImportInProgress: true,
    AccountMarkedToSkip: true,
    SupplierNotOngoing: true,
    ImportRunDoesNotExist: true,
    ImportRunFinished: true,
    PortFailure: true,
  },
  // 201 for the first staging, 200 when staged data was replaced.
  call: (useCases, request) =>
    answered(useCases.stageAccount(submissionOfRun(request)), (staged) => ({
      status: staged.outcome === 'created' ? 201 : 200,
      headers: warningHeaders(staged.warnings),
      body: { import_supplier: staged.importSupplier, external_account_number: staged.externalAccountNumber },
    })),
})

const createdAccount = t.type({ platform_account_number: t.string }, 'CreatedAccount')
export type CreatedAccount = t.TypeOf<typeof createdAccount>

const processAccount = endpoint({
  method: 'POST',
  path: '/v1/data-import/account-import-process/process/',
  scope: 'process',
  summary: 'Creates the account from its staged data, under a named operations team.',
  body: 'processRequest',
  namesRun: true,
  statuses: [201],
  success: createdAccount,
  refusals: {
    AccountFailedValidation: true,
    RequestFailedValidation: true,
    AccountAlreadyImported: true,
    AccountProcessedElsewhere: true,
    AccountMarkedToSkip: true,
    SupplierNotOngoing: true,
    NothingStaged: true,
    OperationsTeamDoesNotExist: true,
    DryRunSucceeded: true,
    ConcurrencyLimitReached: true,
    ClaimLost: true,
    ImportRunDoesNotExist: true,
    ImportRunFinished: true,
    PortFailure: true,
  },
  changesNothing: isDryRun,
  call: (useCases, request) =>
    answered(useCases.processAccount(submissionOfRun(request)), ({ platformAccountNumber, warnings }) => ({
      status: 201,
      headers: warningHeaders(warnings),
      body: { platform_account_number: platformAccountNumber },
    })),
})

export const singleAccountEndpoints = { validateAccount, stageAccount, processAccount } as const

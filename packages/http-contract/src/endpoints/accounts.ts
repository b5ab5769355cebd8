import type { BulkResult, BulkResults, WithWarnings } from '@account-import/core'
import { mapped } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { answered, endpoint, type EndpointRequest, made, submission } from '../endpoint.js'
import {
  type BulkResultLine,
  bulkResultLine,
  type BulkSummaryLine,
  bulkSummaryLine,
  Lines,
} from '../lines.js'
import type { Refusal } from '../problems.js'
import { warningHeaders } from '../warning-headers.js'

/** Whether a request to process asks for a dry run. */
const isDryRun = (payload: unknown): boolean =>
  typeof payload === 'object' && payload !== null && 'dry_run' in payload && payload.dry_run === true

const validateAccount = endpoint({
  method: 'POST',
  path: '/v1/data-import/validate-account/',
  scopes: ['validate'],
  summary: 'Validates an account and returns it as accepted. Stores nothing.',
  body: 'account',
  statuses: [200],
  // The accepted account: the known fields of the request; transaction amounts as text.
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

const stageAccount = endpoint({
  method: 'POST',
  path: '/v1/data-import/account-import-process/create-or-update/',
  scopes: ['stage'],
  summary: 'Validates an account and stores it for processing. A repeated request replaces the staged data.',
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
    PayloadTooLarge: true,
    PortFailure: true,
  },
  // 201 for the first staging, 200 when staged data was replaced.
  call: (useCases, request) =>
    answered(useCases.stageAccount(submission(request)), (staged) => ({
      status: staged.outcome === 'created' ? 201 : 200,
      headers: warningHeaders(staged.warnings),
      body: { import_supplier: staged.importSupplier, external_account_number: staged.externalAccountNumber },
    })),
})

const createdAccount = t.type({ platform_account_number: t.string }, 'CreatedAccount')

const processAccount = endpoint({
  method: 'POST',
  path: '/v1/data-import/account-import-process/process/',
  scopes: ['process'],
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
    answered(useCases.processAccount(submission(request)), ({ platformAccountNumber, warnings }) =>
      made({ platform_account_number: platformAccountNumber }, warnings),
    ),
})

export const singleAccountEndpoints = { validateAccount, stageAccount, processAccount } as const

type Counted = 'created' | 'updated' | 'valid'

/** The line of a success, with the status of the single request; `countsAs`: the count that it belongs to. */
type Success = Readonly<{ countsAs: Counted; status: number }> &
  Pick<BulkResultLine, 'platform_account_number' | 'staging' | 'same_data'>

/** The successes of one kind of request; `counts`: the counts that its summary has. */
type Successes<A> = Readonly<{ counts: readonly Counted[]; successOf: (done: A) => Success }>

type Counts = Record<'received' | 'failed', number> & Partial<Record<Counted, number>>

const dryRunSucceeded: Success = { countsAs: 'valid', status: 200 }

const warningsOf = (outcome: object): Pick<BulkResultLine, 'warnings'> =>
  'warnings' in outcome && Array.isArray(outcome.warnings) && outcome.warnings.length > 0
    ? { warnings: outcome.warnings.length }
    : {}

/** Streams the lines of one response, and counts them. A refusal has the status and body of the single request. */
const linesOf = <Refused extends Refusal, A extends WithWarnings>(
  results: BulkResults<Refused, A>,
  { refusedLine }: Pick<EndpointRequest, 'refusedLine'>,
  { counts: names, successOf }: Successes<A>,
  counts: Counts,
): AsyncIterable<readonly (BulkResultLine | BulkSummaryLine)[]> => {
  const succeeded = ({ countsAs, ...line }: Success): Omit<Success, 'countsAs'> => {
    counts[countsAs] = (counts[countsAs] ?? 0) + 1
    return line
  }
  const resultOf = (outcome: BulkResult<Refused, A>['outcome']): Omit<BulkResultLine, 'line'> => {
    if (outcome._tag === 'Right') return succeeded(successOf(outcome.right))
    if (outcome.left._tag === 'DryRunSucceeded') return succeeded(dryRunSucceeded)
    counts.failed += 1
    const { status, body } = refusedLine(outcome.left)
    return { status, error: body }
  }
  const lineOf = ({ line, externalAccountNumber, outcome }: BulkResult<Refused, A>): BulkResultLine => {
    counts.received += 1
    return {
      line,
      ...(externalAccountNumber !== undefined && { external_account_number: externalAccountNumber }),
      ...resultOf(outcome),
      ...warningsOf(outcome._tag === 'Right' ? outcome.right : outcome.left),
    }
  }
  const summary = (): BulkSummaryLine => {
    const counted = Object.fromEntries(names.map((name) => [name, counts[name] ?? 0]))
    return { summary: { received: counts.received, ...counted, failed: counts.failed } }
  }
  return mapped<readonly BulkResult<Refused, A>[], readonly (BulkResultLine | BulkSummaryLine)[]>(
    results,
    (page) => page.map(lineOf),
    () => [summary()],
  )
}

/** A line for each result, and the summary as the last line. The log gets the counts at the end of the response. */
const bulkAnswer = <Refused extends Refusal, A extends WithWarnings>(
  results: BulkResults<Refused, A>,
  request: EndpointRequest,
  successes: Successes<A>,
) => {
  const counts: Counts = { received: 0, failed: 0 }
  request.record.counts = counts
  return { status: 200, headers: {}, body: linesOf(results, request, successes, counts) } as const
}

const bulkLines = new Lines(t.union([bulkResultLine, bulkSummaryLine], 'BulkLine'))

const createdLine = ({ platformAccountNumber }: Readonly<{ platformAccountNumber: string }>): Success => ({
  countsAs: 'created',
  status: 201,
  platform_account_number: platformAccountNumber,
})

/** Common parts of the bulk endpoints, whose responses are lines. */
const shared = {
  method: 'POST',
  statuses: [200],
  success: bulkLines,
} as const

/** Whether the key may learn if data that it sends is that of a created account: it may read accounts, or stage them. */
const mayCompare = ({ scopes }: Pick<EndpointRequest, 'scopes'>): boolean =>
  scopes.includes('read') || scopes.includes('stage')

const bulkValidate = endpoint({
  ...shared,
  path: '/v1/data-import/account-import-process/bulk-validate/',
  scopes: ['validate'],
  summary: 'Validates accounts, one a line, and returns a line for each. Stores nothing.',
  body: new Lines({ name: 'account' }),
  refusals: { PortFailure: true },
  call: (useCases, request) =>
    answered(useCases.bulkValidate({ organisation: request.organisation, lines: request.lines }), (results) =>
      bulkAnswer(results, request, {
        counts: ['valid'],
        successOf: ({ staging, sameData }) => ({
          countsAs: 'valid',
          status: 200,
          staging,
          ...(sameData !== undefined && mayCompare(request) && { same_data: sameData }),
        }),
      }),
    ),
})

const bulkStage = endpoint({
  ...shared,
  path: '/v1/data-import/account-import-process/bulk-create-or-update/',
  scopes: ['stage'],
  summary:
    'Validates accounts, one a line, stores the valid ones for processing, and returns a line for each.',
  body: new Lines({ name: 'account' }),
  namesRun: true,
  refusals: { ImportRunDoesNotExist: true, ImportRunFinished: true, PortFailure: true },
  call: (useCases, request) =>
    answered(
      useCases.bulkStage({
        organisation: request.organisation,
        by: request.by,
        importRun: request.importRun,
        lines: request.lines,
      }),
      (results) =>
        bulkAnswer(results, request, {
          counts: ['created', 'updated'],
          successOf: ({ outcome }) =>
            outcome === 'created'
              ? { countsAs: 'created', status: 201 }
              : { countsAs: 'updated', status: 200 },
        }),
    ),
})

const bulkProcess = endpoint({
  ...shared,
  path: '/v1/data-import/account-import-process/bulk-process/',
  scopes: ['process'],
  summary:
    'Creates accounts from their staged data, either named accounts or all of a supplier, and returns a line for each.',
  body: 'bulkProcessRequest',
  namesRun: true,
  refusals: {
    RequestFailedValidation: true,
    SupplierNotOngoing: true,
    OperationsTeamDoesNotExist: true,
    ImportRunDoesNotExist: true,
    ImportRunFinished: true,
    PortFailure: true,
  },
  call: (useCases, request) =>
    answered(
      useCases.bulkProcess({ ...submission(request), signal: request.gone(), pace: request.pace }),
      (results) =>
        bulkAnswer(results, request, {
          counts: [isDryRun(request.body.payload) ? 'valid' : 'created'],
          successOf: createdLine,
        }),
    ),
})

const bulkImport = endpoint({
  ...shared,
  path: '/v1/data-import/account-import-process/bulk-import/',
  scopes: ['stage', 'process'],
  summary:
    'Validates accounts, one a line, creates the valid ones under a named operations team, and returns a line for each.',
  query: 'team',
  body: new Lines({ name: 'account' }),
  namesRun: true,
  refusals: {
    OperationsTeamDoesNotExist: true,
    ImportRunDoesNotExist: true,
    ImportRunFinished: true,
    PortFailure: true,
  },
  call: (useCases, request) =>
    answered(
      useCases.bulkImport({
        organisation: request.organisation,
        by: request.by,
        importRun: request.importRun,
        operationsTeam: request.query.operations_team_name,
        lines: request.lines,
        signal: request.gone(),
      }),
      (results) =>
        bulkAnswer(results, request, {
          counts: ['created'],
          successOf: createdLine,
        }),
    ),
})

export const bulkEndpoints = { bulkValidate, bulkStage, bulkProcess, bulkImport } as const

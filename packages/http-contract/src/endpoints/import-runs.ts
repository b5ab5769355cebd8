import { type OpenFailure, type RunFailure, runStates, runSteps, type ShownRun } from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { answered, endpoint, ok, oneOf, pageAnswer, submission, textOrNull } from '../endpoint.js'
import { asIs, failurePlaceText, openPlaceText, pageLimits, runPlaceText } from '../limits.js'

/** Accounts of the run that were undone; times are null without any. */
const runUndone = t.type({ count: t.number, latest_at: textOrNull, latest_by: textOrNull }, 'RunUndone')

/**
 * Times are `YYYY-MM-DDTHH:MM:SSZ`. `duration_seconds`: to the end, to now if the run is running, otherwise to the latest request.
 * `counts`: accounts that the run created, including undone ones, and refused ones.
 */
const runFields = {
  id: t.string,
  import_supplier: t.string,
  label: textOrNull,
  source: t.union([
    t.type({ name: t.string, sha256: t.string, accounts: t.union([t.number, t.null]) }, 'RunSource'),
    t.null,
  ]),
  state: oneOf(runStates),
  started_by: t.string,
  started_at: t.string,
  latest_request_at: t.string,
  latest_progress_at: t.string,
  finished_at: textOrNull,
  duration_seconds: t.number,
  undone: runUndone,
  failures_removed_at: textOrNull,
} as const

const importRunBody = t.type(
  { ...runFields, counts: t.type({ created: t.number, refused: t.number }, 'RunTotals') },
  'ImportRun',
)
type ImportRunBody = t.TypeOf<typeof importRunBody>

const step = oneOf(runSteps)

export const failedBySteps = t.type({ stage: t.number, process: t.number }, 'FailedBySteps')

export const frequentErrors = t.readonlyArray(
  t.type({ step, code: t.string, field: t.string, count: t.number }, 'FrequentError'),
)

const runCounts = t.type(
  {
    staged: t.number,
    created: t.number,
    refused: t.number,
    failed: failedBySteps,
    errors: frequentErrors,
  },
  'ImportRunCounts',
)

const countedRun = t.type({ ...runFields, counts: runCounts }, 'CountedImportRun')

const failureFields = {
  step,
  line: t.union([t.number, t.null]),
  external_account_number: textOrNull,
  code: t.string,
  errors: t.readonlyArray(t.type({ code: t.string, attr: t.string, times: t.number }, 'RunFinding')),
  failed_at: t.string,
}

const runFailure = t.type(failureFields, 'ImportRunFailure')
type ImportRunFailureBody = t.TypeOf<typeof runFailure>

const openFailure = t.type({ import_run: t.string, ...failureFields }, 'OpenFailure')

const runAccount = t.type({ external_account_number: t.string }, 'RunAccount')

const timeOrNull = (instant: ShownRun['finishedAt']) =>
  instant === undefined ? null : toWireDatetime(instant)

const bodyOf = (run: ShownRun): ImportRunBody => ({
  id: run.id,
  import_supplier: run.importSupplier,
  label: run.label ?? null,
  source: run.source === undefined ? null : { ...run.source, accounts: run.source.accounts ?? null },
  state: run.state,
  started_by: run.startedBy,
  started_at: toWireDatetime(run.startedAt),
  latest_request_at: toWireDatetime(run.latestRequestAt),
  latest_progress_at: toWireDatetime(run.latestProgressAt),
  finished_at: timeOrNull(run.finishedAt),
  duration_seconds: run.seconds,
  counts: run.totals,
  undone: {
    count: run.undone?.count ?? 0,
    latest_at: timeOrNull(run.undone?.latestAt),
    latest_by: run.undone?.latestBy ?? null,
  },
  failures_removed_at: timeOrNull(run.failuresRemovedAt),
})

const failureBody = (failure: RunFailure): ImportRunFailureBody => ({
  step: failure.step,
  line: failure.line ?? null,
  external_account_number: failure.externalAccountNumber ?? null,
  code: failure.code,
  errors: failure.findings.map(({ code, attr, times }) => ({ code, attr, times })),
  failed_at: toWireDatetime(failure.failedAt),
})

const openImportRun = endpoint({
  method: 'POST',
  path: '/v1/data-import/import-runs/',
  scopes: ['stage'],
  summary: 'Opens an import run, or continues the unfinished run of the same source.',
  body: 'importRunRequest',
  statuses: [201, 200],
  success: importRunBody,
  refusals: { RequestFailedValidation: true, PortFailure: true },
  // 200 for a continued run.
  call: (useCases, request) =>
    answered(useCases.openImportRun(submission(request)), ({ isNew, ...run }) => ({
      status: isNew ? 201 : 200,
      headers: {},
      body: bodyOf(run),
    })),
})

const finishImportRun = endpoint({
  method: 'POST',
  path: '/v1/data-import/import-runs/{import_run}/finish/',
  scopes: ['stage'],
  summary: 'Finishes an import run. Later requests that name the run are refused.',
  params: 'run',
  body: undefined,
  statuses: [200],
  success: importRunBody,
  refusals: { ImportRunDoesNotExist: true, PortFailure: true },
  call: (useCases, { organisation, params }) =>
    answered(useCases.finishImportRun({ organisation, id: params.import_run }), (run) => ok(bodyOf(run))),
})

const importRuns = endpoint({
  method: 'GET',
  path: '/v1/data-import/import-runs/',
  scopes: ['read'],
  summary: 'Lists import runs, the latest first; a page of at most 1000.',
  query: 'runs',
  body: undefined,
  statuses: [200],
  success: t.readonlyArray(importRunBody),
  refusals: { PortFailure: true },
  call: (useCases, { organisation, query, path }) => {
    const { limit = pageLimits.max, cursor: after, import_supplier: importSupplier } = query
    return answered(
      useCases.importRunsPage({ organisation, importSupplier, after, limit }),
      pageAnswer({ path, limit, placeText: runPlaceText }, bodyOf, { import_supplier: importSupplier }),
    )
  },
})

const importRun = endpoint({
  method: 'GET',
  path: '/v1/data-import/import-runs/{import_run}/',
  scopes: ['read'],
  summary: 'Returns the state, the counts and the most frequent errors of an import run.',
  params: 'run',
  body: undefined,
  statuses: [200],
  success: countedRun,
  refusals: { ImportRunDoesNotExist: true, PortFailure: true },
  call: (useCases, { organisation, params }) =>
    answered(useCases.importRun({ organisation, id: params.import_run }), ({ run, counts }) =>
      ok({ ...bodyOf(run), counts: { ...counts, refused: run.totals.refused } }),
    ),
})

const importRunFailures = endpoint({
  method: 'GET',
  path: '/v1/data-import/import-runs/{import_run}/failures/',
  scopes: ['read'],
  summary: 'Lists the refused accounts of an import run, with codes and paths; a page of at most 1000.',
  params: 'run',
  query: 'failures',
  body: undefined,
  statuses: [200],
  success: t.readonlyArray(runFailure),
  refusals: { ImportRunDoesNotExist: true, PortFailure: true },
  call: (useCases, { organisation, params, query, path }) => {
    const { limit = pageLimits.max, cursor: after } = query
    return answered(
      useCases.importRunFailures({ organisation, id: params.import_run, after, limit }),
      pageAnswer({ path, limit, placeText: failurePlaceText }, failureBody),
    )
  },
})

const importRunAccounts = endpoint({
  method: 'GET',
  path: '/v1/data-import/import-runs/{import_run}/accounts/',
  scopes: ['read'],
  summary: 'Lists the numbers of the accounts that an import run created; a page of at most 1000.',
  params: 'run',
  query: 'list',
  body: undefined,
  statuses: [200],
  success: t.readonlyArray(runAccount),
  refusals: { ImportRunDoesNotExist: true, PortFailure: true },
  call: (useCases, { organisation, params, query, path }) => {
    const { limit = pageLimits.max, cursor: after } = query
    return answered(
      useCases.importRunAccounts({ organisation, id: params.import_run, after, limit }),
      pageAnswer({ path, limit, placeText: asIs }, (external_account_number) => ({
        external_account_number,
      })),
    )
  },
})

const openFailures = endpoint({
  method: 'GET',
  path: '/v1/data-import/open-failures/{import_supplier_code}/',
  scopes: ['read'],
  summary:
    'Lists the refused accounts of all runs that were neither accepted since nor dismissed; a page of at most 1000.',
  params: 'supplier',
  query: 'open',
  body: undefined,
  statuses: [200],
  success: t.readonlyArray(openFailure),
  refusals: { SupplierNotFound: true, PortFailure: true },
  call: (useCases, { organisation, params, query, path }) => {
    const { limit = pageLimits.max, cursor: after } = query
    return answered(
      useCases.openFailures({ organisation, importSupplier: params.import_supplier_code, after, limit }),
      pageAnswer({ path, limit, placeText: openPlaceText }, (failure: OpenFailure) => ({
        import_run: failure.importRun,
        ...failureBody(failure),
      })),
    )
  },
})

const dismissFailures = endpoint({
  method: 'POST',
  path: '/v1/data-import/failure-dismissals/',
  scopes: ['process'],
  summary: 'Dismisses open failures, with a reason for the audit log.',
  body: 'dismissalRequest',
  statuses: [200],
  success: t.type({ dismissed: t.number }, 'DismissedFailures'),
  refusals: { RequestFailedValidation: true, PortFailure: true },
  call: (useCases, request) => answered(useCases.dismissFailures(submission(request)), ok),
})

export const openRunEndpoints = { openImportRun, finishImportRun } as const

export const importRunEndpoints = {
  importRuns,
  importRun,
  importRunFailures,
  importRunAccounts,
  openFailures,
  dismissFailures,
} as const

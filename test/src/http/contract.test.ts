import type {
  ErrorCode,
  FieldError,
  LocalDate,
  PortFailure,
  TransactionData,
  PaymentNotVerified,
} from '@account-import/core'
import { catalogue, detailOf, portFailure } from '@account-import/core'
import { toMoney } from '@account-import/core/adapter-kit'
import type { Refusal } from '@account-import/http-contract'
import {
  endpoints,
  graphqlAddress,
  pathOf,
  problemOf,
  readWarnings,
  warningHeaders,
} from '@account-import/http-contract'
import test from 'ava'

test('addresses, scopes and success statuses are those of the specification', (t) => {
  const addresses = Object.values(endpoints).map(
    ({ method, path, scopes, statuses }) =>
      `${method} ${path} ${scopes.join('+') || 'any'} ${statuses.join('/')}`,
  )
  t.deepEqual(addresses, [
    'POST /v1/data-import/validate-account/ validate 200',
    'POST /v1/data-import/account-import-process/create-or-update/ stage 201/200',
    'POST /v1/data-import/account-import-process/process/ process 201',
    'POST /v1/data-import/import-runs/ stage 201/200',
    'POST /v1/data-import/import-runs/{import_run}/finish/ stage 200',
    'POST /v1/data-import/account-import-process/bulk-validate/ validate 200',
    'POST /v1/data-import/account-import-process/bulk-create-or-update/ stage 200',
    'POST /v1/data-import/account-import-process/bulk-process/ process 200',
    'POST /v1/data-import/account-import-process/bulk-import/ stage+process 200',
    'POST /v1/data-import/notes/create/ post-import 201',
    'POST /v1/data-import/historical-statements/create/ post-import 201',
    'POST /v1/data-import/payment-instruction/create/ post-import 201',
    'POST /v1/data-import/transactions/create/ post-import 201',
    'POST /v1/data-import/account-undo/preview/ undo 200',
    'POST /v1/data-import/account-undo/ undo 200',
    'GET /v1/data-import/access/ any 200',
    'GET /v1/data-import/account-transfer-status/{import_supplier_code}/{external_account_number}/ read 200',
    'GET /v1/data-import/account-import-summary/{import_supplier_code}/ read 200',
    'GET /v1/data-import/all-account-import-processes/{import_supplier_code}/ read 200',
    'GET /v1/data-import/pending-account-import-processes/{import_supplier_code}/ read 200',
    'GET /v1/data-import/imported-account-import-processes/{import_supplier_code}/ read 200',
    'GET /v1/data-import/import-runs/ read 200',
    'GET /v1/data-import/import-runs/{import_run}/ read 200',
    'GET /v1/data-import/import-runs/{import_run}/failures/ read 200',
    'GET /v1/data-import/import-runs/{import_run}/accounts/ read 200',
    'GET /v1/data-import/open-failures/{import_supplier_code}/ read 200',
    'POST /v1/data-import/failure-dismissals/ process 200',
    'GET /v1/data-import/account-digests/{import_supplier_code}/ read 200',
    'GET /v1/data-import/account-digest/{import_supplier_code}/{external_account_number}/ read 200',
  ])
  t.is(graphqlAddress.path, '/v1/graphql/')
})

test('a path parameter is one segment with any content', (t) => {
  const params = { import_supplier_code: 'A B', external_account_number: 'x/y%2F?#é' }
  t.is(
    pathOf(endpoints.transferStatus, params),
    '/v1/data-import/account-transfer-status/A%20B/x%2Fy%252F%3F%23%C3%A9/',
  )
  t.throws(() => pathOf(endpoints.transferStatus, { import_supplier_code: 'A' }), { instanceOf: TypeError })
})

const entry: FieldError = { detail: catalogue.required.detail, code: 'required', attr: 'ledgers.0' }
const warning: FieldError = { detail: catalogue.unknown_field.detail, code: 'unknown_field', attr: 'x' }
const lists = { errors: [entry], warnings: [warning] }
const key = { organisation: 'A', importSupplier: 'B', externalAccountNumber: 'C' }
const aTransaction: TransactionData = {
  transaction_id: 'T',
  transaction_date: '2025-01-31' as LocalDate,
  amount: toMoney(1),
  type: 'CREDIT',
}
const failure = (kind: PortFailure['kind']): PortFailure =>
  portFailure(kind, 'accounts', 'create', new Error('SELECT secret'))

/** The fields of the refusal besides its tag, and the response. */
type Expected<Fields> = readonly [fields: Fields, answer: string, headers?: string, extras?: string]

/** Only one tag needs the seconds until a retry, but each may have them. */
type NotVerified = Omit<PaymentNotVerified, '_tag'> & Readonly<{ retryAfterSeconds: number }>

const notVerified = (expected: string, headers = ''): Expected<NotVerified> => {
  const asked = { externalAccountNumber: 'N', importSupplier: 'S', reference: 'R', retryAfterSeconds: 6.2 }
  const code = expected.slice(4) as ErrorCode
  const extras = `{"error_detail":"${catalogue[code].detail}","external_account_number":"N","import_supplier":"S","reference":"R"}`
  return [asked, expected, headers, extras]
}

const expectations: {
  [Tag in Refusal['_tag']]: readonly Expected<Omit<Extract<Refusal, { _tag: Tag }>, '_tag'>>[]
} = {
  AccountFailedValidation: [
    [{ ...lists }, '400 account_failed_validation', 'Import-Warnings,Import-Warnings-Total'],
  ],
  RequestFailedValidation: [
    [{ ...lists }, '400 request_failed_validation', 'Import-Warnings,Import-Warnings-Total'],
  ],
  AccountAlreadyImported: [
    [
      { externalAccountNumber: 'N', platformAccountNumber: 'P', sameData: false },
      '400 account_already_imported',
      '',
      '{"external_account_number":"N","platform_account_number":"P","same_data":false}',
    ],
  ],
  AccountImportInProgress: [[{}, '400 account_import_in_progress']],
  AccountProcessedElsewhere: [
    [{ retryAfterSeconds: 0.2 }, '429 account_import_in_progress', 'Retry-After=1'],
  ],
  AccountMarkedToSkip: [[{}, '400 account_marked_to_skip']],
  SupplierNotOngoing: [[{}, '400 import_supplier_migration_not_ongoing']],
  SupplierComplete: [[{}, '400 import_supplier_migration_complete']],
  UndoNotConfirmed: [[{}, '400 undo_not_confirmed']],
  NothingStaged: [[{}, '400 import_process_does_not_exist']],
  OperationsTeamDoesNotExist: [[{}, '400 operations_team_name_does_not_exist']],
  DryRunSucceeded: [[{}, '400 dry_run_succeeded']],
  ConcurrencyLimitReached: [[{ retryAfterSeconds: 3 }, '429 concurrency_limit_reached', 'Retry-After=3']],
  ClaimLost: [[{ key, retryAfterSeconds: 2 }, '429 account_import_in_progress', 'Retry-After=2']],
  AccountNotFound: [[{}, '404 account_not_found']],
  RefusedByPlatform: [[{}, '409 refused_by_platform']],
  PaymentInstructionNotFound: [notVerified('400 payment_instruction_not_found')],
  PaymentInstructionNotUsable: [notVerified('400 payment_instruction_not_usable')],
  PaymentVendorRefused: [notVerified('400 payment_vendor_refused')],
  PaymentVendorUnavailable: [notVerified('500 payment_vendor_unavailable', 'Retry-After=7')],
  PaymentVendorUnreachable: [notVerified('400 payment_vendor_unreachable')],
  TransactionOutsideOpenPeriod: [
    [
      { transactionData: aTransaction, warnings: [warning] },
      '400 transaction_outside_open_statement_period',
      'Import-Warnings,Import-Warnings-Total',
      `{"status":"TRANSACTION_IMPORT_ERROR","error_detail":"${detailOf('transaction_outside_open_statement_period')}",` +
        `"transaction_data":${JSON.stringify(aTransaction)}}`,
    ],
  ],
  ImportRunDoesNotExist: [[{}, '404 import_run_does_not_exist']],
  ImportRunFinished: [[{}, '409 import_run_finished']],
  SupplierNotFound: [[{}, '404 not_found']],
  AccountImportNotFound: [[{}, '404 import_process_does_not_exist']],
  AuthenticationFailed: [[{}, '401 authentication_failed', 'WWW-Authenticate=Token']],
  RefreshTokenReused: [[{ apiKeyId: 'ab12' }, '401 authentication_failed', 'WWW-Authenticate=Token']],
  TokenExpired: [[{}, '401 token_expired', 'WWW-Authenticate=Token']],
  TooManyAttempts: [[{ retryAfterSeconds: 60 }, '429 throttled', 'Retry-After=60']],
  PortFailure: [
    [failure('unavailable'), '503 service_unavailable', 'Retry-After=2'],
    [failure('unexpected'), '500 error', '', '{"request_id":"id-1"}'],
  ],
  NothingHere: [[{}, '404 not_found']],
  MethodNotAllowed: [[{ allow: ['GET', 'HEAD'] }, '405 method_not_allowed', 'Allow=GET, HEAD']],
  NotAcceptable: [[{}, '406 not_acceptable']],
  NotAuthenticated: [[{}, '401 not_authenticated', 'WWW-Authenticate=Token']],
  PermissionDenied: [[{}, '403 permission_denied']],
  RequestNotValid: [[{ errors: [entry] }, '400 request_failed_validation']],
  IdempotencyKeyNotValid: [[{}, '400 invalid_idempotency_key']],
  IdempotencyKeyReused: [[{}, '422 idempotency_key_reused']],
  IdempotencyKeyInProgress: [[{ retryAfterSeconds: 1 }, '409 idempotency_key_in_progress', 'Retry-After=1']],
  UnsupportedMediaType: [[{}, '415 unsupported_media_type', 'Accept-Encoding=gzip']],
  PayloadTooLarge: [[{ limitBytes: 65_536 }, '413 payload_too_large']],
  PayloadTooDeep: [[{}, '400 payload_too_deep']],
  NotUtf8: [[{}, '400 invalid_encoding']],
  NotJson: [[{}, '400 parse_error']],
  NotHttp: [
    [{ status: 431 }, '431 parse_error', 'Connection=close'],
    [{ status: 400, wrong: 'host' }, '400 parse_error', 'Connection=close'],
  ],
  Throttled: [[{ retryAfterSeconds: 1.5 }, '429 throttled', 'Retry-After=2']],
  ServiceBusy: [[{ retryAfterSeconds: 1 }, '503 service_busy', 'Retry-After=1']],
  Unexpected: [[{ cause: new Error('secret') }, '500 error', '', '{"request_id":"id-1"}']],
}

const validations = new Set(['AccountFailedValidation', 'RequestFailedValidation', 'RequestNotValid'])

for (const [_tag, each] of Object.entries(expectations))
  for (const [fields, answer, headers = '', extras = '{}'] of each)
    test(`the refusal ${_tag} gets ${answer}`, (t) => {
      const problem = problemOf({ _tag, ...fields } as Refusal, 'id-1')
      const { detail, code, errors, ...rest } = problem.body
      t.is(`${problem.status} ${code}`, answer)
      t.deepEqual(errors, validations.has(_tag) ? [entry] : [])
      t.is(JSON.stringify(rest), extras)
      t.regex(detail, /^[A-Z].*\.$/)
      t.notRegex(JSON.stringify(problem), /secret|SELECT|[{]max[}]/)
      const names = Object.entries(problem.headers).map(([name, value]) =>
        name.startsWith('Import-') ? name : `${name}=${value}`,
      )
      t.is(names.join(), headers)
    })

test('an account that exists without data to compare has no same_data', (t) => {
  const refusal = { externalAccountNumber: 'N', platformAccountNumber: 'P', sameData: undefined }
  t.false('same_data' in problemOf({ _tag: 'AccountAlreadyImported', ...refusal }, '').body)
})

test('the dry run has exactly the specified text', (t) => {
  const text = 'Account would successfully import. Rolled back due to Dry Run.'
  t.is(problemOf({ _tag: 'DryRunSucceeded' }, '').body.detail, text)
})

test('the texts of problems contain their limits', (t) => {
  t.regex(problemOf({ _tag: 'PayloadTooLarge', limitBytes: 65_536 }, '').body.detail, /65536/)
  t.regex(problemOf({ _tag: 'PayloadTooDeep' }, '').body.detail, /32/)
})

const doubtful = (attr: string): FieldError => ({ detail: 'd', code: 'doubtful_phone_number', attr })

test('warnings become a structured list of strings with their codes', (t) => {
  t.deepEqual(warningHeaders([]), {})
  t.deepEqual(warningHeaders([doubtful('customers.0.mobile'), doubtful('')]), {
    'Import-Warnings': '"customers.0.mobile";code="doubtful_phone_number", "";code="doubtful_phone_number"',
    'Import-Warnings-Total': '2',
  })
})

test('the warnings header has at most 20 items and 4096 bytes, and its total counts all', (t) => {
  const many = warningHeaders(Array.from({ length: 1001 }, (_, i) => doubtful(`customers.${i}.mobile`)))
  t.is(readWarnings(many['Import-Warnings'] ?? null).length, 20)
  t.is(many['Import-Warnings-Total'], '1001')
  const long = warningHeaders(Array.from({ length: 20 }, () => doubtful('a'.repeat(1000))))
  t.is(readWarnings(long['Import-Warnings'] ?? null).length, 3)
  t.true((long['Import-Warnings']?.length ?? 0) <= 4096)
  t.deepEqual(warningHeaders([doubtful('a'.repeat(5000))]), { 'Import-Warnings-Total': '1' })
})

test('characters that a structured string cannot hold are masked, and quotes are escaped and read back', (t) => {
  const header = warningHeaders([doubtful('a"b\\c\ndé')])['Import-Warnings'] ?? null
  t.is(header, String.raw`"a\"b\\c?d?";code="doubtful_phone_number"`)
  t.deepEqual(readWarnings(header), [{ attr: 'a"b\\c?d?', code: 'doubtful_phone_number' }])
})

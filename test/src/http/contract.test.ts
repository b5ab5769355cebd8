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
import { everyTag } from './support/every-tag.js'

test('the addresses, scopes and success statuses are those of the specification', (t) => {
  const addresses = Object.values(endpoints).map(
    ({ method, path, scope, statuses }) => `${method} ${path} ${scope} ${statuses.join('/')}`,
  )
  t.deepEqual(addresses, [
    'POST /v1/data-import/validate-account/ validate 200',
    'POST /v1/data-import/account-import-process/create-or-update/ stage 201/200',
    'POST /v1/data-import/account-import-process/process/ process 201',
    'POST /v1/data-import/account-import-process/bulk-validate/ validate 200',
    'POST /v1/data-import/account-import-process/bulk-create-or-update/ stage 200',
    'POST /v1/data-import/account-import-process/bulk-process/ process 200',
    'POST /v1/data-import/notes/create/ post-import 201',
    'POST /v1/data-import/historical-statements/create/ post-import 201',
    'POST /v1/data-import/payment-instruction/create/ post-import 201',
    'POST /v1/data-import/transactions/create/ post-import 201',
    'GET /v1/data-import/account-transfer-status/{import_supplier_code}/{external_account_number}/ read 200',
    'GET /v1/data-import/account-import-summary/{import_supplier_code}/ read 200',
    'GET /v1/data-import/all-account-import-processes/{import_supplier_code}/ read 200',
    'GET /v1/data-import/pending-account-import-processes/{import_supplier_code}/ read 200',
    'GET /v1/data-import/imported-account-import-processes/{import_supplier_code}/ read 200',
  ])
  t.is(graphqlAddress.path, '/v1/graphql/')
})

test('a path parameter is one segment, whatever it holds', (t) => {
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

type Expected = readonly [refusal: Refusal, answer: string, headers?: string, extras?: string]

const notVerified = (
  tag: PaymentNotVerified['_tag'],
  expected: string,
  headers = '',
): readonly Expected[] => {
  const asked = { externalAccountNumber: 'N', importSupplier: 'S', reference: 'R', retryAfterSeconds: 6.2 }
  const code = expected.slice(4) as ErrorCode
  const extras = `{"error_detail":"${catalogue[code].detail}","external_account_number":"N","import_supplier":"S","reference":"R"}`
  return [[{ _tag: tag, ...asked }, expected, headers, extras]]
}

const expectations: readonly Expected[] = [
  [
    { _tag: 'AccountFailedValidation', ...lists },
    '400 account_failed_validation',
    'Import-Warnings,Import-Warnings-Total',
  ],
  [
    { _tag: 'RequestFailedValidation', ...lists },
    '400 request_failed_validation',
    'Import-Warnings,Import-Warnings-Total',
  ],
  [
    { _tag: 'AccountAlreadyImported', externalAccountNumber: 'N', platformAccountNumber: 'P' },
    '400 account_already_imported',
    '',
    '{"external_account_number":"N","platform_account_number":"P"}',
  ],
  [{ _tag: 'AccountImportInProgress' }, '400 account_import_in_progress'],
  [
    { _tag: 'AccountProcessedElsewhere', retryAfterSeconds: 0.2 },
    '429 account_import_in_progress',
    'Retry-After=1',
  ],
  [{ _tag: 'AccountMarkedToSkip' }, '400 account_marked_to_skip'],
  [{ _tag: 'SupplierNotOngoing' }, '400 import_supplier_migration_not_ongoing'],
  [{ _tag: 'NothingStaged' }, '400 import_process_does_not_exist'],
  [{ _tag: 'OperationsTeamDoesNotExist' }, '400 operations_team_name_does_not_exist'],
  [{ _tag: 'DryRunSucceeded' }, '400 dry_run_succeeded'],
  [
    { _tag: 'ConcurrencyLimitReached', retryAfterSeconds: 3 },
    '429 concurrency_limit_reached',
    'Retry-After=3',
  ],
  [{ _tag: 'ClaimLost', key, retryAfterSeconds: 2 }, '429 account_import_in_progress', 'Retry-After=2'],
  [{ _tag: 'AccountNotFound' }, '404 account_not_found'],
  ...notVerified('PaymentInstructionNotFound', '400 payment_instruction_not_found'),
  ...notVerified('PaymentInstructionNotUsable', '400 payment_instruction_not_usable'),
  ...notVerified('PaymentVendorRefused', '400 payment_vendor_refused'),
  ...notVerified('PaymentVendorUnavailable', '500 payment_vendor_unavailable', 'Retry-After=7'),
  ...notVerified('PaymentVendorUnreachable', '400 payment_vendor_unreachable'),
  [
    { _tag: 'TransactionOutsideOpenPeriod', transactionData: aTransaction, warnings: [warning] },
    '400 transaction_outside_open_statement_period',
    'Import-Warnings,Import-Warnings-Total',
    `{"status":"TRANSACTION_IMPORT_ERROR","error_detail":"${detailOf('transaction_outside_open_statement_period')}",` +
      `"transaction_data":${JSON.stringify(aTransaction)}}`,
  ],
  [{ _tag: 'SupplierNotFound' }, '404 not_found'],
  [{ _tag: 'AccountImportNotFound' }, '404 import_process_does_not_exist'],
  [{ _tag: 'AuthenticationFailed' }, '401 authentication_failed', 'WWW-Authenticate=Token'],
  [{ _tag: 'RefreshTokenReused', apiKeyId: 'ab12' }, '401 authentication_failed', 'WWW-Authenticate=Token'],
  [{ _tag: 'TokenExpired' }, '401 token_expired', 'WWW-Authenticate=Token'],
  [{ _tag: 'TooManyAttempts', retryAfterSeconds: 60 }, '429 throttled', 'Retry-After=60'],
  [failure('unavailable'), '503 service_unavailable', 'Retry-After=2'],
  [failure('unexpected'), '500 error', '', '{"request_id":"id-1"}'],
  [{ _tag: 'NothingHere' }, '404 not_found'],
  [{ _tag: 'MethodNotAllowed', allow: ['GET', 'HEAD'] }, '405 method_not_allowed', 'Allow=GET, HEAD'],
  [{ _tag: 'NotAcceptable' }, '406 not_acceptable'],
  [{ _tag: 'NotAuthenticated' }, '401 not_authenticated', 'WWW-Authenticate=Token'],
  [{ _tag: 'PermissionDenied' }, '403 permission_denied'],
  [{ _tag: 'RequestNotValid', errors: [entry] }, '400 request_failed_validation'],
  [{ _tag: 'IdempotencyKeyNotValid' }, '400 invalid_idempotency_key'],
  [{ _tag: 'IdempotencyKeyReused' }, '422 idempotency_key_reused'],
  [
    { _tag: 'IdempotencyKeyInProgress', retryAfterSeconds: 1 },
    '409 idempotency_key_in_progress',
    'Retry-After=1',
  ],
  [{ _tag: 'KeptAnswersFull', retryAfterSeconds: 9 }, '429 throttled', 'Retry-After=9'],
  [{ _tag: 'UnsupportedMediaType' }, '415 unsupported_media_type', 'Accept-Encoding=gzip'],
  [{ _tag: 'PayloadTooLarge', limitBytes: 65_536 }, '413 payload_too_large'],
  [{ _tag: 'PayloadTooDeep' }, '400 payload_too_deep'],
  [{ _tag: 'NotUtf8' }, '400 invalid_encoding'],
  [{ _tag: 'NotJson' }, '400 parse_error'],
  [{ _tag: 'NotHttp', status: 431 }, '431 parse_error', 'Connection=close'],
  [{ _tag: 'NotHttp', status: 400, wrong: 'host' }, '400 parse_error', 'Connection=close'],
  [{ _tag: 'Throttled', retryAfterSeconds: 1.5 }, '429 throttled', 'Retry-After=2'],
  [{ _tag: 'ServiceBusy', retryAfterSeconds: 1 }, '503 service_busy', 'Retry-After=1'],
  [{ _tag: 'Unexpected', cause: new Error('secret') }, '500 error', '', '{"request_id":"id-1"}'],
]

const validations = new Set(['AccountFailedValidation', 'RequestFailedValidation', 'RequestNotValid'])

for (const [refusal, answer, headers = '', extras = '{}'] of expectations)
  test(`a refusal ${refusal._tag} is answered ${answer}`, (t) => {
    const problem = problemOf(refusal, 'id-1')
    const { detail, code, errors, ...rest } = problem.body
    t.is(`${problem.status} ${code}`, answer)
    t.deepEqual(errors, validations.has(refusal._tag) ? [entry] : [])
    t.is(JSON.stringify(rest), extras)
    t.regex(detail, /^[A-Z].*\.$/)
    t.notRegex(JSON.stringify(problem), /secret|SELECT|[{]max[}]/)
    const names = Object.entries(problem.headers).map(([name, value]) =>
      name.startsWith('Import-') ? name : `${name}=${value}`,
    )
    t.is(names.join(), headers)
  })

test('every tag that there is was looked at', (t) => {
  const looked = new Set(expectations.map(([{ _tag }]) => _tag))
  t.deepEqual([...looked].sort(), Object.keys(everyTag).sort())
})

test('the dry run has exactly the specified text', (t) => {
  const text = 'Account would successfully import. Rolled back due to Dry Run.'
  t.is(problemOf({ _tag: 'DryRunSucceeded' }, '').body.detail, text)
})

test('limits stand in the texts of their problems', (t) => {
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

test('the warnings header holds at most 20 items and 4096 bytes, its total counts all', (t) => {
  const many = warningHeaders(Array.from({ length: 1001 }, (_, i) => doubtful(`customers.${i}.mobile`)))
  t.is(readWarnings(many['Import-Warnings'] ?? null).length, 20)
  t.is(many['Import-Warnings-Total'], '1001')
  const long = warningHeaders(Array.from({ length: 20 }, () => doubtful('a'.repeat(1000))))
  t.is(readWarnings(long['Import-Warnings'] ?? null).length, 3)
  t.true((long['Import-Warnings']?.length ?? 0) <= 4096)
  t.deepEqual(warningHeaders([doubtful('a'.repeat(5000))]), { 'Import-Warnings-Total': '1' })
})

test('what a structured string cannot hold is masked, quotes are escaped and read back', (t) => {
  const header = warningHeaders([doubtful('a"b\\c\ndé')])['Import-Warnings'] ?? null
  t.is(header, String.raw`"a\"b\\c?d?";code="doubtful_phone_number"`)
  t.deepEqual(readWarnings(header), [{ attr: 'a"b\\c?d?', code: 'doubtful_phone_number' }])
})

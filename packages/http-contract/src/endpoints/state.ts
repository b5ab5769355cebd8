import {
  type AccountDigest,
  type AccountImportList,
  type AccountImportListItem,
  scopes,
  supplierStatuses,
} from '@account-import/core'
import { mapped, toWireDatetime } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { answered, endpoint, ok, oneOf, pageAnswer, textOrNull } from '../endpoint.js'
import { asIs, pageLimits } from '../limits.js'

/** Why the last attempt to process failed. `occurred_at`: `YYYY-MM-DDTHH:MM:SSZ`. */
const latestError = t.type({ code: t.string, detail: t.string, occurred_at: t.string }, 'LatestError')

/** `platform_account_number` is empty until an account exists; `latest_error` is present after a failed attempt. */
const transferStatusBody = t.intersection(
  [
    t.type({
      status: oneOf(['UNKNOWN', 'IN_PROGRESS', 'COMPLETED']),
      platform_account_number: t.string,
      attempts: t.number,
    }),
    t.partial({ latest_error: latestError }),
  ],
  'TransferStatus',
)

const transferStatus = endpoint({
  method: 'GET',
  path: '/v1/data-import/account-transfer-status/{import_supplier_code}/{external_account_number}/',
  scopes: ['read'],
  summary: 'Returns the state of the import of one account.',
  params: 'account',
  body: undefined,
  statuses: [200],
  success: transferStatusBody,
  refusals: { SupplierNotFound: true, AccountImportNotFound: true, PortFailure: true },
  call: (useCases, { organisation, params }) =>
    answered(
      useCases.transferStatus({
        organisation,
        importSupplier: params.import_supplier_code,
        externalAccountNumber: params.external_account_number,
      }),
      ({ status, platformAccountNumber = '', attempts, latestError: error }) =>
        ok({
          status,
          platform_account_number: platformAccountNumber,
          attempts,
          ...(error && {
            latest_error: {
              code: error.code,
              detail: error.detail,
              occurred_at: toWireDatetime(error.occurredAt),
            },
          }),
        }),
    ),
})

/**
 * `total` is the sum of `staged`, `in_progress`, `created` and `skipped`. `failed`: the staged imports whose last attempt failed;
 * `errors`: the number of these by code, the most frequent first.
 */
const accountImportSummaryBody = t.type(
  {
    total: t.number,
    staged: t.number,
    in_progress: t.number,
    created: t.number,
    skipped: t.number,
    failed: t.number,
    errors: t.readonlyArray(t.type({ code: t.string, count: t.number })),
  },
  'AccountImportSummary',
)

const accountImportSummary = endpoint({
  method: 'GET',
  path: '/v1/data-import/account-import-summary/{import_supplier_code}/',
  scopes: ['read'],
  summary: 'Counts the imports of a supplier by state, and the failed imports by code.',
  params: 'supplier',
  body: undefined,
  statuses: [200],
  success: accountImportSummaryBody,
  refusals: { SupplierNotFound: true, PortFailure: true },
  call: (useCases, { organisation, params }) =>
    answered(
      useCases.accountImportSummary({ organisation, importSupplier: params.import_supplier_code }),
      ({ staged, inProgress, created, skipped, failed, errors }) => {
        const total = staged + inProgress + created + skipped
        return ok({ total, staged, in_progress: inProgress, created, skipped, failed, errors })
      },
    ),
})

/** An account import in a list; the last two fields are null until an account exists. */
const listedImport = t.type(
  {
    external_account_number: t.string,
    platform_account_number: textOrNull,
    /** `YYYY-MM-DDTHH:MM:SSZ` */
    account_created_at: textOrNull,
  },
  'ListedImport',
)
type ListedImport = t.TypeOf<typeof listedImport>

const listedImportOf = (item: AccountImportListItem): ListedImport => ({
  external_account_number: item.externalAccountNumber,
  platform_account_number: item.platformAccountNumber ?? null,
  account_created_at: item.accountCreatedAt === undefined ? null : toWireDatetime(item.accountCreatedAt),
})

/** A list in the order of external account numbers: streamed as a whole, or with `limit` or `cursor` a page with a `Link`. */
const listEndpoint = (list: AccountImportList, summary: string) =>
  endpoint({
    method: 'GET',
    path: `/v1/data-import/${list}-account-import-processes/{import_supplier_code}/`,
    scopes: ['read'],
    summary,
    params: 'supplier',
    query: 'list',
    body: undefined,
    statuses: [200],
    success: t.readonlyArray(listedImport),
    refusals: { SupplierNotFound: true, PortFailure: true },
    call: async (useCases, { organisation, params, query, path }) => {
      const request = { organisation, importSupplier: params.import_supplier_code, list }
      const { limit = pageLimits.max, cursor: after } = query
      if (query.limit === undefined && after === undefined)
        return answered(useCases.allAccountImports(request), (pages) => ({
          status: 200 as const,
          headers: {},
          pages: mapped(pages, (page) => page.map(listedImportOf)),
        }))
      return answered(
        useCases.accountImportsPage({ ...request, after, limit }),
        pageAnswer({ path, limit, placeText: asIs }, listedImportOf),
      )
    },
  })

const allAccountImports = listEndpoint('all', 'Lists every import with staged data or an account.')
const pendingAccountImports = listEndpoint(
  'pending',
  'Lists the imports that are staged or in progress, and not skipped.',
)
const importedAccountImports = listEndpoint('imported', 'Lists the imports whose account exists.')

/**
 * Streams a whole list as JSON text, a chunk for each page: `[\n{…},\n{…}\n]`. The array is closed only after the last page,
 * so a list that was cut is never valid JSON.
 */
export const listText = (pages: AsyncIterable<readonly unknown[]>): AsyncIterable<string> => {
  let separator = '[\n'
  const textOf = (page: readonly unknown[]): string => {
    if (page.length === 0) return ''
    const text = separator + page.map((item) => JSON.stringify(item)).join(',\n')
    separator = ',\n'
    return text
  }
  return mapped(pages, textOf, () => (separator === ',\n' ? '\n]' : '[]'))
}

const access = endpoint({
  method: 'GET',
  path: '/v1/data-import/access/',
  scopes: [],
  summary:
    'Returns what the token may be used for: its organisation and scopes, the import suppliers of the organisation, and the operations teams that are open to it.',
  body: undefined,
  statuses: [200],
  success: t.type(
    {
      organisation: t.string,
      scopes: t.readonlyArray(oneOf(scopes)),
      import_suppliers: t.readonlyArray(
        t.type({ import_supplier: t.string, status: oneOf(supplierStatuses) }, 'UsableSupplier'),
      ),
      operations_teams: t.readonlyArray(t.string),
    },
    'Access',
  ),
  refusals: { PortFailure: true },
  call: (useCases, { organisation, scopes: ofToken }) =>
    answered(useCases.usableNames(organisation), ({ importSuppliers, operationsTeams }) =>
      ok({
        organisation,
        scopes: ofToken,
        import_suppliers: importSuppliers.map(({ code, status }) => ({ import_supplier: code, status })),
        operations_teams: operationsTeams,
      }),
    ),
})

export const stateEndpoints = {
  access,
  transferStatus,
  accountImportSummary,
  allAccountImports,
  pendingAccountImports,
  importedAccountImports,
} as const

/** `sum`: money with two places. */
const balance = t.type({ ledger_code: t.string, count: t.number, sum: t.string }, 'SummedBalance')
const transactions = t.type({ type: t.string, count: t.number, sum: t.string }, 'SummedTransactions')

const accountDigest = t.type(
  {
    external_account_number: t.string,
    state: oneOf(['staged', 'created']),
    /** 32 hexadecimal digits. */
    digest: t.string,
    additions: t.number,
    balances: t.readonlyArray(balance),
    transactions: t.readonlyArray(transactions),
    statements: t.number,
    notes: t.number,
    supply_points: t.number,
  },
  'AccountDigest',
)

const digestBody = ({ externalAccountNumber, figures: found, ...digest }: AccountDigest) => ({
  external_account_number: externalAccountNumber,
  ...digest,
  balances: Object.entries(found.balances).map(([ledger_code, summed]) => ({ ledger_code, ...summed })),
  transactions: Object.entries(found.transactions).map(([type, summed]) => ({ type, ...summed })),
  statements: found.statements,
  notes: found.notes,
  supply_points: found.supplyPoints,
})

const mostInPage = 200

const accountDigests = endpoint({
  method: 'GET',
  path: '/v1/data-import/account-digests/{import_supplier_code}/',
  scopes: ['read'],
  summary:
    'Lists a digest and sums of each created or staged account, for comparison with a file; a page of at most 200.',
  params: 'supplier',
  query: 'list',
  body: undefined,
  statuses: [200],
  success: t.readonlyArray(accountDigest),
  refusals: { SupplierNotFound: true, PortFailure: true },
  call: (useCases, { organisation, params, query, path }) => {
    // The service holds the whole accounts of a page in memory, so a page is shorter than that of a list.
    const limit = Math.min(query.limit ?? mostInPage, mostInPage)
    const after = query.cursor
    const request = { organisation, importSupplier: params.import_supplier_code, after, limit }
    return answered(
      useCases.accountDigests(request),
      pageAnswer({ path, limit, placeText: asIs }, digestBody),
    )
  },
})

const fieldDigestsBody = t.type(
  {
    state: oneOf(['staged', 'created']),
    fields: t.readonlyArray(t.type({ path: t.string, digest: t.string }, 'FieldDigest')),
  },
  'FieldDigests',
)

const fieldDigests = endpoint({
  method: 'GET',
  path: '/v1/data-import/account-digest/{import_supplier_code}/{external_account_number}/',
  scopes: ['read'],
  summary:
    'Returns a digest for each value of one account, by its path. Different digests show where two accounts differ.',
  params: 'account',
  body: undefined,
  statuses: [200],
  success: fieldDigestsBody,
  refusals: { SupplierNotFound: true, AccountImportNotFound: true, PortFailure: true },
  call: (useCases, { organisation, params }) =>
    answered(
      useCases.fieldDigests({
        organisation,
        importSupplier: params.import_supplier_code,
        externalAccountNumber: params.external_account_number,
      }),
      ok,
    ),
})

export const digestEndpoints = { accountDigests, fieldDigests } as const

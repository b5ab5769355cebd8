import type { AccountFigures } from '@account-import/core'
import * as t from 'io-ts'
import { answered, endpoint } from '../endpoint.js'
import { cursorText } from '../limits.js'
import { nextPage } from './state.js'

/** `sum`: money with two places. */
const balance = t.type({ ledger_code: t.string, count: t.number, sum: t.string }, 'SummedBalance')
const transactions = t.type({ type: t.string, count: t.number, sum: t.string }, 'SummedTransactions')

const accountDigest = t.type(
  {
    external_account_number: t.string,
    state: t.keyof({ staged: null, created: null }),
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
export type AccountDigestBody = t.TypeOf<typeof accountDigest>

const figures = (found: AccountFigures) => ({
  balances: Object.entries(found.balances).map(([ledger_code, summed]) => ({ ledger_code, ...summed })),
  transactions: Object.entries(found.transactions).map(([type, summed]) => ({ type, ...summed })),
  statements: found.statements,
  notes: found.notes,
  supply_points: found.supplyPoints,
})

const mostInPage = 200

export const accountDigests = endpoint({
  method: 'GET',
  path: '/v1/data-import/account-digests/{import_supplier_code}/',
  scope: 'read',
  summary:
    'Lists a digest and the sums of each account, created or staged, to be compared with those of a file; a page of at most 200.',
  params: 'supplier',
  query: 'list',
  body: undefined,
  statuses: [200],
  success: t.readonlyArray(accountDigest),
  refusals: { SupplierNotFound: true, PortFailure: true },
  call: (useCases, { organisation, params, query, path }) => {
    // A page holds whole accounts in the memory of the service, so it is shorter than that of a list.
    const limit = Math.min(query.limit ?? mostInPage, mostInPage)
    const after = query.cursor
    const request = { organisation, importSupplier: params.import_supplier_code, after, limit }
    return answered(useCases.accountDigests(request), ({ items, next }) => ({
      status: 200 as const,
      headers: nextPage(path, limit, next && cursorText(next)),
      body: items.map(({ externalAccountNumber, state, digest, additions, figures: found }) => ({
        external_account_number: externalAccountNumber,
        state,
        digest,
        additions,
        ...figures(found),
      })),
    }))
  },
})

const fieldDigestsBody = t.type(
  {
    state: t.keyof({ staged: null, created: null }),
    fields: t.readonlyArray(t.type({ path: t.string, digest: t.string }, 'FieldDigest')),
  },
  'FieldDigests',
)
export type FieldDigestsBody = t.TypeOf<typeof fieldDigestsBody>

export const fieldDigests = endpoint({
  method: 'GET',
  path: '/v1/data-import/account-digest/{import_supplier_code}/{external_account_number}/',
  scope: 'read',
  summary:
    'Gives a digest for each value of one account, by its path: those that differ say where accounts differ.',
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
      ({ state, fields }) => ({
        status: 200 as const,
        headers: {},
        body: { state, fields: Object.entries(fields).map(([path, digest]) => ({ path, digest })) },
      }),
    ),
})

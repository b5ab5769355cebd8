import type { AccountImportList, AccountImportListItem } from '@account-import/core'
import { supplierParams } from '../address-params.js'
import type { Answer, ListAnswer } from '../call.js'
import { accountImportListCalls } from '../calls/account-import-lists.js'
import { endpoint } from '../endpoint.js'
import { listQuery } from '../lists/list-query.js'
import { type ListedImport, listedImportOf, nextLink } from '../lists/listed-import.js'
import { type Done, refusalsOf } from '../use-case.js'

/** A page, and what the link to the next one is made from. */
export type PageToAnswer = Done<'accountImportsPage'> &
  Readonly<{ /** Percent-encoded, as it was asked for. */ path: string; limit: number }>

const pageAnswer = ({ items, next, path, limit }: PageToAnswer): Answer<readonly ListedImport[], 200> => ({
  status: 200,
  headers: next === undefined ? {} : { Link: nextLink(path, limit, next) },
  body: items.map(listedImportOf),
})

const listEndpoint = (list: AccountImportList, summary: string) =>
  endpoint({
    ...accountImportListCalls[list],
    summary,
    params: supplierParams,
    query: listQuery,
    body: undefined,
    refusals: refusalsOf<'allAccountImports' | 'accountImportsPage'>({
      SupplierNotFound: true,
      PortFailure: true,
    }),
    answer: pageAnswer,
  })

/** In order of external account number: the whole list, or with `limit` a page and a `Link` to the next. */
export const accountImportLists = {
  all: listEndpoint('all', 'Lists every import with staged data or an account.'),
  pending: listEndpoint('pending', 'Lists the imports that are staged or in progress, and not skipped.'),
  imported: listEndpoint('imported', 'Lists the imports whose account exists.'),
} as const

async function* listed(
  pages: AsyncIterable<readonly AccountImportListItem[]>,
): AsyncGenerator<readonly ListedImport[]> {
  for await (const page of pages) yield page.map(listedImportOf)
}

/** The whole list in pieces; a page of it is answered by its endpoint. */
export const wholeListAnswer = (pages: Done<'allAccountImports'>): ListAnswer<ListedImport, 200> => ({
  status: 200,
  headers: {},
  pages: listed(pages),
})

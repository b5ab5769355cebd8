import type { AccountImportList, UseCases } from '@account-import/core'
import { pipe, TE } from '@account-import/core/adapter-kit'
import { endpoints, pageLimits, wholeListAnswer } from '@account-import/http-contract'
import type { Routes } from '../route.js'

/** The whole list, streamed; with `limit` or `cursor` a page of it. */
export const accountImports =
  (
    { allAccountImports, accountImportsPage }: Pick<UseCases, 'allAccountImports' | 'accountImportsPage'>,
    list: AccountImportList,
  ): Routes['allAccountImports'] =>
  ({ organisation, params, query, path }) => {
    const request = { organisation, importSupplier: params.import_supplier_code, list }
    const { limit = pageLimits.max, cursor: after } = query
    return query.limit === undefined && after === undefined
      ? pipe(allAccountImports(request), TE.map(wholeListAnswer))
      : pipe(
          accountImportsPage({ ...request, after, limit }),
          TE.map((page) => endpoints.allAccountImports.answer({ ...page, path, limit })),
        )
  }

import type { AccountImportList, ListRequest, TaskEither, UseCases } from '@account-import/core'
import { pipe, TE } from '@account-import/core'
import type { ListQuery, Refusal } from '@account-import/http-contract'
import { listedImportOf, listText, nextLink, pageLimits } from '@account-import/http-contract'
import type { Reply } from '../answers.js'
import type { Route } from '../mount.js'

type Lists = Pick<UseCases, 'allAccountImports' | 'accountImportsPage'>

const whole = ({ allAccountImports }: Lists, request: ListRequest): TaskEither<Refusal, Reply> =>
  pipe(
    allAccountImports(request),
    TE.map((pages) => ({ status: 200, headers: {}, body: listText(pages) })),
  )

const page = (
  { accountImportsPage }: Lists,
  request: ListRequest,
  { limit = pageLimits.max, cursor }: ListQuery,
  path: string,
): TaskEither<Refusal, Reply> =>
  pipe(
    accountImportsPage({ ...request, after: cursor, limit }),
    TE.map(({ items, next }) => ({
      status: 200,
      headers: next === undefined ? {} : { Link: nextLink(path, limit, next) },
      body: JSON.stringify(items.map(listedImportOf)),
    })),
  )

/** The whole list, streamed; with `limit` or `cursor` a page of it. */
export const accountImportsRoute =
  (lists: Lists, list: AccountImportList): Route<Readonly<{ import_supplier_code: string }>, ListQuery> =>
  ({ identity, params, query, path }) => {
    const request = { organisation: identity.organisation, importSupplier: params.import_supplier_code, list }
    const paged = query.limit !== undefined || query.cursor !== undefined
    return paged ? page(lists, request, query, path) : whole(lists, request)
  }

import { pipe, TE } from '../fp.js'
import type { AccountImportListItem, AccountImports, PageRequest } from '../ports/account-imports.js'
import type { Ports } from '../ports/index.js'
import { existingSupplier } from './named-supplier.js'
import type { ListRequest, UseCases } from './signatures.js'

type ListPorts = Pick<Ports, 'importSuppliers' | 'accountImports'>

const lastNumber = (items: readonly AccountImportListItem[]): string | undefined =>
  items.at(-1)?.externalAccountNumber

/** One page. The store is asked for one item more, to know whether there is a next page. */
export const accountImportsPage =
  (ports: ListPorts): UseCases['accountImportsPage'] =>
  ({ limit, ...request }) =>
    pipe(
      existingSupplier(ports)(request.organisation, request.importSupplier),
      TE.flatMap(() => ports.accountImports.page({ ...request, limit: limit + 1 })),
      TE.map((found) => {
        const items = found.slice(0, limit)
        return { items, next: found.length > limit ? lastNumber(items) : undefined }
      }),
    )

const pageSize = 1000

/** Pages until the end. A failing store ends the iteration with its failure as the thrown value. */
async function* pagesFrom(
  accountImports: AccountImports,
  request: Omit<PageRequest, 'after' | 'limit'>,
  first: readonly AccountImportListItem[],
): AsyncGenerator<readonly AccountImportListItem[]> {
  for (let page = first; page.length > 0;) {
    yield page
    if (page.length < pageSize) break
    const next = await accountImports.page({ ...request, after: lastNumber(page), limit: pageSize })()
    if (next._tag === 'Left') throw next.left
    page = next.right
  }
}

/** The whole list. The first page is read before this answers, so that a store that fails at once gives a Left. */
export const allAccountImports =
  (ports: ListPorts): UseCases['allAccountImports'] =>
  ({ organisation, importSupplier, list }: ListRequest) =>
    pipe(
      existingSupplier(ports)(organisation, importSupplier),
      TE.flatMap(() =>
        ports.accountImports.page({ organisation, importSupplier, list, after: undefined, limit: pageSize }),
      ),
      TE.map((first) => pagesFrom(ports.accountImports, { organisation, importSupplier, list }, first)),
    )

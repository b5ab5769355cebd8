import type { AccountImportList } from '@account-import/core'
import type { ListedImport } from '@account-import/http-contract'
import { calls } from '@account-import/http-contract'
import type { CallOptions } from './call-options.js'
import type { Called, Caller } from './caller.js'
import type { Result } from './result.js'

export type ListRequest = Readonly<{ importSupplier: string; list: AccountImportList }>
export type PagesRequest = ListRequest & Readonly<{ /** 1 to 1000. */ limit: number }>

const nextLink = /<([^>]*)>\s*;\s*rel="next"/

/** Takes only the query from the link; a proxy may have changed the rest, so the address stays as it was. */
const nextSearch = (headers: Headers | undefined): string | undefined => {
  const target = nextLink.exec(headers?.get('Link') ?? '')?.[1]
  return target === undefined ? undefined : new URL(target, 'http://localhost').search
}

/** Page after page until the list ends, or a failure, which then comes last. */
export async function* accountImportPages(
  call: Caller,
  { importSupplier, list, limit }: PagesRequest,
  options: CallOptions,
): AsyncGenerator<Result<readonly ListedImport[]>> {
  const params = { import_supplier_code: importSupplier }
  let search: string | undefined = `?limit=${limit}`
  while (search !== undefined) {
    const { result, headers }: Called<readonly ListedImport[]> = await call(calls.accountImportLists[list], {
      params,
      search,
      options,
    })
    yield result
    search = result.ok ? nextSearch(headers) : undefined
  }
}

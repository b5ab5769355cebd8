import type { AccountImportListItem } from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { cursor } from './list-query.js'

const textOrNull = t.union([t.string, t.null])

/** An account import in a list; the last two fields are null until an account exists. */
export const listedImport = t.type(
  {
    external_account_number: t.string,
    platform_account_number: textOrNull,
    /** `YYYY-MM-DDTHH:MM:SSZ` */
    account_created_at: textOrNull,
  },
  'ListedImport',
)
export type ListedImport = t.TypeOf<typeof listedImport>

export const listedImportOf = (item: AccountImportListItem): ListedImport => ({
  external_account_number: item.externalAccountNumber,
  platform_account_number: item.platformAccountNumber ?? null,
  account_created_at: item.accountCreatedAt === undefined ? null : toWireDatetime(item.accountCreatedAt),
})

/**
 * The text of a whole list, a piece for each page, while the pages come: `[\n{…},\n{…}\n]`. Only after the last
 * page is the array closed, so a list that was cut short is never valid JSON.
 */
export async function* listText(pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const page of pages) {
    if (page.length === 0) continue
    yield separator + page.map((item) => JSON.stringify(item)).join(',\n')
    separator = ',\n'
  }
  yield separator === ',\n' ? '\n]' : '[]'
}

/**
 * The `Link` header that leads to the next page (RFC 8288). `path` is the percent-encoded path of the list as it
 * was asked for; `after` the external account number of the last item of this page.
 */
export const nextLink = (path: string, limit: number, after: string): string =>
  `<${path.replace(/[<>"]/g, encodeURIComponent)}?limit=${limit}&cursor=${cursor.encode(after)}>; rel="next"`

import type { AccountImportListItem } from '@account-import/core'
import { toWireDatetime } from '@account-import/core'
import type { ListedImport } from '../responses/listed-import.js'

/** An item of a list as it is answered; the last two fields are null until an account exists. */
export const listedImportOf = (item: AccountImportListItem): ListedImport => ({
  external_account_number: item.externalAccountNumber,
  platform_account_number: item.platformAccountNumber ?? null,
  account_created_at: item.accountCreatedAt === undefined ? null : toWireDatetime(item.accountCreatedAt),
})

/**
 * The text of a whole list, a piece for each page, while the pages come: `[\n{…},\n{…}\n]`. Only after the last
 * page is the array closed, so a list that was cut short is never valid JSON.
 */
export async function* listText(
  pages: AsyncIterable<readonly AccountImportListItem[]>,
): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const page of pages) {
    if (page.length === 0) continue
    yield separator + page.map((item) => JSON.stringify(listedImportOf(item))).join(',\n')
    separator = ',\n'
  }
  yield separator === ',\n' ? '\n]' : '[]'
}

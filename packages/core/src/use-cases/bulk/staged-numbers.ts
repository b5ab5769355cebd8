import type { AccountImports, StagedPageRequest } from '../../ports/account-imports.js'

const pageSize = 1000

type StagedNumbersRequest = Omit<StagedPageRequest, 'after' | 'limit'>

/**
 * The account numbers that are staged, the one that was staged first at first, in constant memory. What is staged for
 * the first time after `until` is left out, so there is an end. A failing store ends it with its failure as the thrown value.
 */
export async function* stagedNumbers(
  accountImports: AccountImports,
  request: StagedNumbersRequest,
): AsyncGenerator<string> {
  let from: StagedPageRequest = { ...request, limit: pageSize }
  for (;;) {
    const page = await accountImports.stagedPage(from)()
    if (page._tag === 'Left') throw page.left
    for (const { externalAccountNumber } of page.right) yield externalAccountNumber
    const last = page.right.at(-1)
    if (last === undefined || page.right.length < pageSize) return
    from = { ...from, after: last }
  }
}

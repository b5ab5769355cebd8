import type { AuditUseCases, ChainBreak, PortFailure } from '@account-import/core'
import { E, type TaskEither } from '@account-import/core/adapter-kit'

/** More are counted, and not shown: where a key is wrong, every entry is one. */
const mostShown = 1000

export type VerifiedRecord = Readonly<{ entries: number; found: number; breaks: readonly ChainBreak[] }>

/** Goes over the chains, and keeps the first breaks. */
export const verifyRecord =
  (
    audit: AuditUseCases,
    input: Parameters<AuditUseCases['verify']>[0],
  ): TaskEither<PortFailure, VerifiedRecord> =>
  async () => {
    const pages = await audit.verify(input)()
    if (E.isLeft(pages)) return pages
    let [entries, found] = [0, 0]
    const breaks: ChainBreak[] = []
    for await (const page of pages.right) {
      if (E.isLeft(page)) return page
      entries += page.right.entries
      found += page.right.breaks.length
      breaks.push(...page.right.breaks.slice(0, mostShown - breaks.length))
    }
    return E.right({ entries, found, breaks })
  }

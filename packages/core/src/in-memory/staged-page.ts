import { accountKeyText } from '../domain/account-key.js'
import type { StagedImport, StagedPageRequest } from '../ports/account-imports.js'
import { compareCodePoints } from '../values/compare-code-points.js'
import { isPending } from './import-rows.js'
import type { Memory } from './memory.js'

const compare = (a: StagedImport, b: StagedImport): number =>
  compareCodePoints(a.firstStagedAt, b.firstStagedAt) ||
  compareCodePoints(a.externalAccountNumber, b.externalAccountNumber)

/** One page, oldest first; looks at all imports of the supplier. */
export const stagedPageOf = (
  memory: Memory,
  { organisation, importSupplier, until, after, limit }: StagedPageRequest,
): readonly StagedImport[] => {
  const items: StagedImport[] = []
  for (const externalAccountNumber of memory.numbers(organisation, importSupplier).after(undefined)) {
    const row = memory.tables.imports.get(
      accountKeyText({ organisation, importSupplier, externalAccountNumber }),
    )
    if (row?.firstStagedAt === undefined || row.firstStagedAt > until || !isPending(row)) continue
    const item = { externalAccountNumber, firstStagedAt: row.firstStagedAt }
    if (after === undefined || compare(item, after) > 0) items.push(item)
  }
  return items.toSorted(compare).slice(0, limit)
}

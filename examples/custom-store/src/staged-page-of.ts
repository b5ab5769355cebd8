import type { StagedImport, StagedPageRequest } from '@account-import/core'
import { compareCodePoints } from '@account-import/core/adapter-kit'
import type { Rows } from './view.js'

const compare = (a: StagedImport, b: StagedImport): number =>
  compareCodePoints(a.firstStagedAt, b.firstStagedAt) ||
  compareCodePoints(a.externalAccountNumber, b.externalAccountNumber)

/** The next pending rows of a supplier, oldest first. */
export const stagedPageOf = (
  pending: readonly Rows['imports'][],
  { organisation, importSupplier, until, after, limit }: StagedPageRequest,
): readonly StagedImport[] =>
  pending
    .filter(({ key }) => key.organisation === organisation && key.importSupplier === importSupplier)
    .flatMap(({ key: { externalAccountNumber }, firstStagedAt }) =>
      firstStagedAt === undefined || firstStagedAt > until ? [] : [{ externalAccountNumber, firstStagedAt }],
    )
    .filter((item) => after === undefined || compare(item, after) > 0)
    .toSorted(compare)
    .slice(0, limit)

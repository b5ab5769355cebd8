import type { AccountKey, StagedImport, StagedPageRequest } from '@account-import/core'
import { compareCodePoints } from '@account-import/core/adapter-kit'
import type { Rows } from './view.js'

/** The rows in the order of a name of each. */
export const sorted = <Row>(rows: readonly Row[], name: (row: Row) => string): readonly Row[] =>
  rows.toSorted((left, right) => compareCodePoints(name(left), name(right)))

type Request = Readonly<{
  organisation: string
  importSupplier: string
  after: string | undefined
  limit: number
}>

/** The request for one row more, which shows whether the page is the last. */
export const oneMore = (request: Request): Request => ({ ...request, limit: request.limit + 1 })

/** The next rows of a supplier, in order of account number. */
export const pageOf = <Row extends Readonly<{ key: AccountKey }>>(
  rows: readonly Row[],
  { organisation, importSupplier, after, limit }: Request,
): readonly Row[] =>
  rows
    .filter(({ key }) => key.organisation === organisation && key.importSupplier === importSupplier)
    .filter(({ key }) => after === undefined || compareCodePoints(key.externalAccountNumber, after) > 0)
    .toSorted((a, b) => compareCodePoints(a.key.externalAccountNumber, b.key.externalAccountNumber))
    .slice(0, limit)

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

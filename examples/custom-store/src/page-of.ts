import type { AccountKey } from '@account-import/core'
import { compareCodePoints } from '@account-import/core/adapter-kit'

type Request = Readonly<{
  organisation: string
  importSupplier: string
  after: string | undefined
  limit: number
}>

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

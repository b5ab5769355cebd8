import { compareCodePoints } from '@account-import/core/adapter-kit'

/** The rows in order of a name that each has. */
export const sorted = <Row>(rows: readonly Row[], name: (row: Row) => string): readonly Row[] =>
  rows.toSorted((left, right) => compareCodePoints(name(left), name(right)))

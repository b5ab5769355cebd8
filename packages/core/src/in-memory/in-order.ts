import { compareCodePoints } from '../values/compare-code-points.js'

/** The rows in order of a name that each has. */
export const inOrder = <Row>(rows: Iterable<Row>, name: (row: Row) => string): Row[] =>
  [...rows].sort((left, right) => compareCodePoints(name(left), name(right)))

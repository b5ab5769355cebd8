import { compareCodePoints } from '../values/compare-code-points.js'

/** Stands for an end that is not given: as text, it comes after any date. */
export const OPEN_END = '~'

/** A member of a group: dates or datetimes as text, and its index in the list it comes from. */
export type Interval = Readonly<{ start: string; end: string; index: number }>

/** Sorting keeps the order of those that begin together, which is that of their index. */
const byStart = (left: Interval, right: Interval): number => compareCodePoints(left.start, right.start)

/**
 * Finds overlaps and gaps in one group: `compare` is called for each member but the first, in the order of start and
 * then index, with the latest end of those before it. `members` are given in the order of their index.
 */
export const compareIntervals = (
  members: readonly Interval[],
  compare: (member: Interval, greatestEnd: string) => void,
): void => {
  let greatestEnd = ''
  for (const member of members.toSorted(byStart)) {
    if (greatestEnd !== '') compare(member, greatestEnd)
    if (member.end > greatestEnd) greatestEnd = member.end
  }
}

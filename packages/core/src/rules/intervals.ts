import { compareCodePoints } from '../values/compare-code-points.js'

/** Stands for an end that is not given: as text, it comes after any date. */
export const OPEN_END = '~'

/** A member of a group: dates or datetimes as text, and its index in the list it comes from. */
export type Interval = Readonly<{ start: string; end: string; index: number }>

/** Sorting keeps the order of those that begin together, which is that of their index. */
const byStart = (left: Interval, right: Interval): number => compareCodePoints(left.start, right.start)

const isSorted = (members: readonly Interval[]): boolean => {
  let before = ''
  for (const { start } of members) {
    if (before > start) return false
    before = start
  }
  return true
}

/**
 * Finds overlaps and gaps in one group: `compare` is called for each member but the first, in the order of start and
 * then index, with the latest end of those before it. `members` are given in the order of their index.
 */
export const compareIntervals = (
  members: readonly Interval[],
  compare: (member: Interval, greatestEnd: string) => void,
): void => {
  if (members.length < 2) return
  let greatestEnd: string | undefined
  for (const member of isSorted(members) ? members : [...members].sort(byStart)) {
    if (greatestEnd !== undefined) compare(member, greatestEnd)
    if (greatestEnd === undefined || member.end > greatestEnd) greatestEnd = member.end
  }
}

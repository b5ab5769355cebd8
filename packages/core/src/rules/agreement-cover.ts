import type { TypeOf } from 'io-ts'
import { FAILED } from '../codec/failed.js'
import type { agreement } from '../payloads/agreement.js'
import type { supplyPoint } from '../payloads/supply-point.js'
import { compareIntervals, OPEN_END, type Interval } from './intervals.js'
import { below, type KeyPath } from './key-path.js'
import { isRead, itemsOf, type Readable, type ReadList } from './readable.js'
import type { RuleFindings } from './rule-findings.js'
import type { ObjectRule } from './rule.js'

type Agreement = Readable<TypeOf<typeof agreement>>
type SupplyPoint = Readable<TypeOf<typeof supplyPoint>>

/** From the first day covered to the first that is not; undefined if either cannot be read. */
const termOf = (item: Agreement, index: number): Interval | undefined => {
  const { effective_from: start, effective_to: end } = item
  if (!isRead(start) || end === FAILED) return undefined
  return { start, end: end ?? OPEN_END, index }
}

const termsOf = (agreements: ReadList<Agreement>): readonly (Interval | undefined)[] =>
  itemsOf(agreements).map((item, index) => (item === FAILED ? undefined : termOf(item, index)))

const reportGapsAndOverlaps = (
  terms: readonly (Interval | undefined)[],
  at: KeyPath,
  findings: RuleFindings,
): void => {
  const covering = terms.filter((term): term is Interval => term !== undefined && term.end > term.start)
  compareIntervals(covering, ({ start, index }, greatestEnd) => {
    if (start === greatestEnd) return
    const code = start < greatestEnd ? 'agreement_dates_overlap' : 'gap_in_agreement_dates'
    findings.add(code, below(at, index), 'effective_from')
  })
}

/**
 * A supply point has agreements that follow each other without overlaps and gaps, and one of them covers the last
 * billed day. The last check is skipped unless the days of all agreements can be read.
 */
export const agreementCover: ObjectRule<SupplyPoint> = (point, at, findings) => {
  const { agreements, last_billed_to_date: billed } = point
  if (agreements === FAILED) return
  if (agreements === undefined || agreements.length === 0) {
    findings.add('supply_point_with_no_agreement', at, 'agreements')
    return
  }
  const terms = termsOf(agreements)
  reportGapsAndOverlaps(terms, below(at, 'agreements'), findings)
  // An unreadable agreement might be the one that covers the day.
  const mayCover = (term: Interval | undefined): boolean =>
    term === undefined || (isRead(billed) && term.start <= billed && billed < term.end)
  if (isRead(billed) && !terms.some(mayCover))
    findings.add('no_agreement_covering_last_billed_to_date', at, 'last_billed_to_date')
}

import type { TypeOf } from 'io-ts'
import { FAILED } from '../codec/failed.js'
import type { agreement } from '../payloads/agreement.js'
import type { supplyPoint } from '../payloads/supply-point.js'
import { isRead, type Readable, type ReadList } from './readable.js'

type Agreement = Readable<TypeOf<typeof agreement>>
type SupplyPoint = Readable<TypeOf<typeof supplyPoint>>
type Term = Readonly<{ start: string; end: string | undefined }>

/** The days from the first agreement to the last, if each has a length and begins where the one before ends. */
const termOf = (agreements: ReadList<Agreement>): Term | undefined => {
  if (!isRead(agreements)) return undefined
  let start: string | undefined
  let end: string | undefined
  for (let index = 0; index < agreements.length; index++) {
    const item = agreements[index]
    if (item === undefined || item === FAILED) return undefined
    const { effective_from: from, effective_to: to } = item
    if (!isRead(from) || to === FAILED || (start !== undefined && from !== end)) return undefined
    if (to !== undefined && to <= from) return undefined
    start ??= from
    end = to
  }
  return start === undefined ? undefined : { start, end }
}

/**
 * Whether the agreements of a supply point surely follow one another without gaps from a day on that is not before
 * the supply, and cover the last billed day: then none of the rules over these days has anything to say.
 */
export const agreementsFollow = (point: SupplyPoint): boolean => {
  const { last_billed_to_date: billed, supply_start_date: supply } = point
  const term = termOf(point.agreements)
  if (term === undefined || !isRead(supply) || term.start < supply || billed === FAILED) return false
  return billed === undefined || (term.start <= billed && (term.end === undefined || billed < term.end))
}

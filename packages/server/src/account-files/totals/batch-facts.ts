import type { BatchFacts, DateCount, LineFacts, Places } from '../facts.js'
import { datedFields, differingFields } from './line-facts.js'

/** Lines that are named for a kind of date. */
const lineLimit = 5

export const noDates = (): DateCount[] =>
  datedFields.map(() => ({
    accounts: 0,
    future: { accounts: 0, lines: [] },
    early: { accounts: 0, lines: [] },
  }))

export const addPlaces = (into: Places, { accounts, lines }: Readonly<Places>): void => {
  into.accounts += accounts
  into.lines.push(...lines.slice(0, lineLimit - into.lines.length))
}

/** Collects the facts of the lines of one batch. */
export class FactsOfBatch {
  private readonly numbers: string[] = []
  private readonly points: number[] = []
  private readonly values: readonly number[][] = differingFields.map(() => [])
  private debts = 0
  private credits = 0
  private readonly dates = noDates()

  /** `facts`: those that are known; an account without a number is compared with none. */
  add(line: Readonly<{ line: number; offset: number }>, number: string, facts: Partial<LineFacts>): void {
    const { offset } = line
    this.numbers[offset] = number
    const { points = [], values = [], dates = [], debts = 0, credits = 0 } = facts
    for (let at = 0; at + 1 < points.length; at += 2)
      this.points.push(points[at] ?? 0, points[at + 1] ?? 0, offset)
    for (const [at, hashes] of values.entries())
      for (const hash of hashes) this.values[at]?.push(hash, offset)
    this.debts += debts
    this.credits += credits
    for (const [at, { given, future, early }] of dates.entries()) {
      const count = this.dates[at]
      if (count === undefined || !given) continue
      count.accounts += 1
      if (future) addPlaces(count.future, { accounts: 1, lines: [line.line] })
      if (early) addPlaces(count.early, { accounts: 1, lines: [line.line] })
    }
  }

  facts(): BatchFacts {
    const { debts, credits, dates } = this
    return {
      numbers: this.numbers.join('\n'),
      points: Uint32Array.from(this.points),
      values: this.values.map((each) => Uint32Array.from(each)),
      debts,
      credits,
      dates,
    }
  }
}

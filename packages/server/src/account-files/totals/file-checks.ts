import type { FileWarning, SharedPoint } from '../counts.js'
import type { BatchFacts, Places } from '../facts.js'
import { AccountNumbers } from './account-numbers.js'
import { addPlaces, noDates } from './batch-facts.js'
import { FrequentValues } from './frequent-values.js'
import { datedFields, differingFields } from './line-facts.js'
import { RepeatedKeys } from './repeated-keys.js'

/** In a smaller file one value for all, or one sign, may be chance. */
const leastAccounts = 20

/** Dates that are wrong by the dozen, and in more than a few of very many accounts. */
const leastDates = 12
const leastShareOfDates = 1 / 1000

/** Compares the accounts of a file with each other. Memory grows with the accounts only by their numbers and supply points. */
export class FileChecks {
  private readonly numbers = new AccountNumbers()
  private readonly points = new RepeatedKeys(({ line, firstLine }) => this.areDifferent(line, firstLine))
  private readonly frequent = differingFields.map(() => new FrequentValues())
  private readonly dates = noDates()
  private debts = 0
  private credits = 0

  /** Batches have to come in the order of the file. */
  add(firstLine: number, { numbers, points, values, debts, credits, dates }: BatchFacts): void {
    this.numbers.add(firstLine, numbers)
    this.points.add(firstLine, points)
    for (const [at, pairs] of values.entries()) this.addValues(this.frequent[at], firstLine, pairs)
    this.debts += debts
    this.credits += credits
    for (const [at, { accounts, future, early }] of dates.entries()) {
      const count = this.dates[at]
      if (count === undefined) continue
      count.accounts += accounts
      addPlaces(count.future, future)
      addPlaces(count.early, early)
    }
  }

  /** Supply points that stand in several accounts of one supplier. */
  shared(): Readonly<{ count: number; examples: readonly SharedPoint[]; complete: boolean }> {
    const { count, examples, complete } = this.points
    return {
      count,
      complete: complete && this.numbers.complete,
      examples: examples.map(({ line, firstLine }) => ({
        line,
        firstLine,
        number: this.numbers.at(line) ?? '',
        firstNumber: this.numbers.at(firstLine) ?? '',
      })),
    }
  }

  /** Faults that no account shows alone; none for a file of few accounts. */
  warnings(accounts: number): readonly FileWarning[] {
    if (accounts < leastAccounts) return []
    return [...this.signWarnings(), ...this.valueWarnings(), ...this.dateWarnings()]
  }

  /** Where a number is not known, nothing is said. */
  private areDifferent(line: number, firstLine: number): boolean {
    const [number, first] = [this.numbers.at(line), this.numbers.at(firstLine)]
    return number !== undefined && first !== undefined && number !== first
  }

  private addValues(frequent: FrequentValues | undefined, firstLine: number, pairs: Uint32Array): void {
    for (let at = 0; at + 1 < pairs.length;) {
      const offset = pairs[at + 1] ?? 0
      const hashes: number[] = []
      for (; at + 1 < pairs.length && pairs[at + 1] === offset; at += 2) hashes.push(pairs[at] ?? 0)
      frequent?.add(hashes, firstLine + offset)
    }
  }

  private signWarnings(): readonly FileWarning[] {
    const { debts, credits } = this
    const count = debts + credits
    if (count < leastAccounts || (debts > 0 && credits > 0)) return []
    const check = debts > 0 ? 'every_balance_is_debt' : 'every_balance_is_credit'
    return [{ check, field: 'ledgers[].ledger_balance', count, of: count, atLeast: false, lines: [] }]
  }

  private valueWarnings(): readonly FileWarning[] {
    return this.frequent.flatMap((frequent, at): readonly FileWarning[] => {
      const { accounts: of } = frequent
      const most = frequent.most()
      if (most === undefined || of < leastAccounts || most.count * 2 <= of) return []
      const { count, missed, lines } = most
      const field = differingFields[at]?.[0] ?? ''
      return [{ check: 'one_value_in_most_accounts', field, count, of, atLeast: missed > 0, lines }]
    })
  }

  private dateWarnings(): readonly FileWarning[] {
    return this.dates.flatMap(({ accounts: of, future, early }, at) => {
      const warning = (
        check: FileWarning['check'],
        { accounts: count, lines }: Places,
      ): readonly FileWarning[] =>
        count < leastDates || count < of * leastShareOfDates
          ? []
          : [{ check, field: datedFields[at]?.[0] ?? '', count, of, atLeast: false, lines }]
      return [...warning('dates_in_future', future), ...warning('dates_before_1990', early)]
    })
  }
}

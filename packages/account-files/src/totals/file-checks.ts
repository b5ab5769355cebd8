import type { BatchOutcome, ComparedLine, Places } from '../outcomes/batch.js'
import { type FileWarning, type LineTotals, mostRemembered } from '../outcomes/counts.js'
import { addSums, datedFields, differingFields, lineLimit, noSums, signedTypes } from './line-facts.js'

type Known = Readonly<{ line: number; number: string }>

/** The lines that are the first with an account number or a supply point. */
class FirstLines {
  /** False when some were not remembered, as the limit was reached. */
  complete = true
  private remembered = 0
  private readonly bySupplier = new Map<string, Map<string, Known>>()

  /** The earlier line with the key; undefined for the first, which is remembered. */
  earlier(importSupplier: string, key: string, line: Known): Known | undefined {
    const known = this.bySupplier.get(importSupplier) ?? new Map<string, Known>()
    const first = known.get(key)
    if (first !== undefined) return first
    if (this.remembered >= mostRemembered) this.complete = false
    else {
      this.remembered += 1
      this.bySupplier.set(importSupplier, known.set(key, line))
    }
    return undefined
  }
}

const exampleLimit = 20

type Counted<A> = { count: number; readonly examples: A[] }

const noneCounted = <A>(): Counted<A> => ({ count: 0, examples: [] })

const count = <A>(into: Counted<A>, example: A): void => {
  into.count += 1
  if (into.examples.length < exampleLimit) into.examples.push(example)
}

/** The number of values with a counter. */
const kept = 16

/** An upper bound of the accounts with a value. `missed`: the most accounts with the value before its counter began. */
type Counter = { readonly value: string; count: number; readonly missed: number; readonly lines: number[] }

/**
 * Counts the accounts with each value in constant memory, by the algorithm Space-Saving: 16 counters, and a new value takes the
 * counter of the least frequent one. The count of a value in more than half of the accounts is exact, unless the value first
 * occurs late in the file: then the count is too low by a sixteenth of the accounts at most.
 */
class FrequentValues {
  /** Accounts with a value. */
  accounts = 0
  private counters: readonly Counter[] = []

  /** Adds the distinct values of one account. */
  add(values: readonly string[], line: number): void {
    if (values.length > 0) this.accounts += 1
    for (const value of values) {
      const counter = this.counters.find((each) => each.value === value) ?? this.begin(value)
      counter.count += 1
      if (counter.lines.length < lineLimit) counter.lines.push(line)
    }
  }

  /** The value with the highest proven count; undefined without values. */
  most(): Pick<Counter, 'count' | 'missed' | 'lines'> | undefined {
    return this.counters
      .map(({ count, missed, lines }) => ({ count: count - missed, missed, lines }))
      .toSorted((left, right) => right.count - left.count)[0]
  }

  /** Begins a counter, in place of that of the least frequent value if there are too many. */
  private begin(value: string): Counter {
    const least =
      this.counters.length < kept
        ? undefined
        : this.counters.reduce((one, other) => (other.count < one.count ? other : one))
    const count = least?.count ?? 0
    const counter = { value, count, missed: count, lines: [] }
    this.counters = [...this.counters.filter((each) => each !== least), counter]
    return counter
  }
}

/** In a file of fewer accounts, equal values or signs may be chance. */
const leastAccounts = 20

/** The least number and the least share of accounts with a wrong date for a warning. */
const leastDates = 12
const leastShareOfDates = 1 / 1000

/** Compares the accounts of a file with each other. Memory grows with the accounts up to `mostRemembered`. */
export class FileChecks {
  private readonly accounts = new FirstLines()
  private readonly points = new FirstLines()
  private readonly repeated = noneCounted<LineTotals['repeats']['examples'][number]>()
  private readonly shared = noneCounted<LineTotals['sharedPoints']['examples'][number]>()
  private readonly frequent = differingFields.map(() => new FrequentValues())
  private readonly sums = noSums()

  /** Requires batches in the order of the file. */
  add({ compared, sums }: Pick<BatchOutcome, 'compared' | 'sums'>): void {
    for (const line of compared) {
      this.frequent.forEach((values, at) => values.add(line.values?.[at] ?? [], line.line))
      this.addKeys(line)
    }
    addSums(this.sums, sums)
  }

  /** Accounts and supply points of earlier lines; faults that only the comparison of accounts shows, for few accounts only counts and sums. */
  totals(accounts: number): Pick<LineTotals, 'repeats' | 'sharedPoints' | 'warnings'> {
    const counted = [...this.pointWarnings(), ...this.amountWarnings()]
    const others =
      accounts < leastAccounts
        ? []
        : [...this.signWarnings(), ...this.valueWarnings(), ...this.dateWarnings()]
    return {
      repeats: { ...this.repeated, complete: this.accounts.complete },
      sharedPoints: { ...this.shared, complete: this.points.complete },
      warnings: [...others, ...counted],
    }
  }

  private addKeys({ line, importSupplier, externalAccountNumber: number, points }: ComparedLine): void {
    if (importSupplier === undefined || number === undefined) return
    const account = { line, number }
    const earlier = this.accounts.earlier(importSupplier, number, account)
    if (earlier !== undefined) count(this.repeated, { line, firstLine: earlier.line })
    for (const point of points) {
      const first = this.points.earlier(importSupplier, point, account)
      if (first !== undefined && first.number !== number)
        count(this.shared, { line, firstLine: first.line, number, firstNumber: first.number })
    }
  }

  private pointWarnings(): readonly FileWarning[] {
    const { accounts: of, pointless } = this.sums
    const { accounts: count, lines } = pointless
    const check = 'accounts_without_supply_points'
    return count === 0 ? [] : [{ check, field: 'supply_addresses', count, of, atLeast: false, lines }]
  }

  private amountWarnings(): readonly FileWarning[] {
    const field = 'ledgers[].*_statement_transactions[].amount'
    return signedTypes.flatMap(([, check], at) => {
      const { all: of, negative: count, cents } = this.sums.signed[at] ?? { all: 0, negative: 0, cents: 0n }
      const sum = moneyOf(cents)
      return count === 0 ? [] : [{ check, field, count, of, atLeast: false, lines: [], sum }]
    })
  }

  private signWarnings(): readonly FileWarning[] {
    const { debts, credits } = this.sums
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
    return this.sums.dates.flatMap(({ accounts: of, future, early }, at) => {
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

/** Hundredths below zero as money: `-12.30`. */
const moneyOf = (cents: bigint): string => {
  const digits = String(-cents).padStart(3, '0')
  return `-${digits.slice(0, -2)}.${digits.slice(-2)}`
}

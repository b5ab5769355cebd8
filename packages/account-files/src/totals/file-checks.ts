import type { BatchFacts, DateCount, LineFacts, SignedCount } from '../outcomes/batch.js'
import type { FileWarning, SharedPoint } from '../outcomes/counts.js'
import { datedFields, differingFields, signedTypes } from './line-facts.js'
import { RepeatedKeys } from './repeated-keys.js'

type Places = DateCount['future']

/** The most characters of account numbers in memory. */
const mostCharacters = 16_777_216

/** The account number of each line of a file, in one text for each batch: one byte a character, and one for the line end. */
class AccountNumbers {
  /** False when some numbers were not stored, as the limit was reached. */
  complete = true
  private readonly firstLines: number[] = []
  private readonly batches: string[] = []
  private characters = 0
  /** A cache of two batches: mostly that of a first occurrence, and the present one. */
  private opened: readonly Readonly<{ at: number; numbers: readonly string[] }>[] = []

  /** Adds the numbers of a batch, one a line. Requires batches in the order of the file. */
  add(firstLine: number, numbers: string): void {
    this.characters += numbers.length
    if (this.characters > mostCharacters) {
      this.complete = false
      return
    }
    this.firstLines.push(firstLine)
    this.batches.push(numbers)
  }

  /** Undefined where the line has no valid number, or its number is not stored. */
  at(line: number): string | undefined {
    const at = this.batchOf(line)
    const number = this.numbersOf(at)[line - (this.firstLines[at] ?? 0)]
    return number === '' ? undefined : number
  }

  /** The last batch that begins on or before the line. */
  private batchOf(line: number): number {
    let [low, high] = [0, this.firstLines.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.firstLines[middle] ?? 0) <= line) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  private numbersOf(at: number): readonly string[] {
    const cached = this.opened.find((each) => each.at === at)
    if (cached !== undefined) return cached.numbers
    const numbers = this.batches[at]?.split('\n') ?? []
    this.opened = [{ at, numbers }, ...this.opened.slice(0, 1)]
    return numbers
  }
}

/** The number of values with a counter. */
const kept = 16

/** The most lines that are listed for a value or date. */
const lineLimit = 5

/** The accounts with a value. `missed`: the most accounts with the value before its counter began. */
type FrequentValue = Readonly<{ count: number; missed: number; lines: readonly number[] }>

/** No hash of 32 bits. */
const free = -1

/**
 * Counts the accounts with each value in constant memory, by the algorithm Space-Saving: 16 counters, and a new value takes the
 * counter of the least frequent one. The count of a value in more than half of the accounts is exact, unless the value first
 * occurs late in the file: then the count is too low by a sixteenth of the accounts at most.
 */
class FrequentValues {
  /** Accounts with a value. */
  accounts = 0
  private readonly hashes = new Float64Array(kept).fill(free)
  /** An upper bound of the accounts with the value. */
  private readonly counts = new Float64Array(kept)
  private readonly missed = new Float64Array(kept)
  private readonly lines: number[][] = Array.from({ length: kept }, () => [])

  /** Adds the distinct hashes of the values of one account, at least one. */
  add(hashes: Iterable<number>, line: number): void {
    this.accounts += 1
    for (const hash of hashes) {
      const found = this.hashes.indexOf(hash)
      const at = found < 0 ? this.placeFor(hash) : found
      this.counts[at] = (this.counts[at] ?? 0) + 1
      const lines = this.lines[at]
      if (lines !== undefined && lines.length < lineLimit) lines.push(line)
    }
  }

  /** The value with the highest proven count; undefined without values. */
  most(): FrequentValue | undefined {
    const values = this.lines.map((lines, at) => {
      const missed = this.missed[at] ?? 0
      return { count: (this.counts[at] ?? 0) - missed, missed, lines }
    })
    return values.filter(({ count }) => count > 0).toSorted((left, right) => right.count - left.count)[0]
  }

  /** Frees and returns the counter of the least frequent value. */
  private placeFor(hash: number): number {
    let least = 0
    for (let at = 1; at < kept; at++) if ((this.counts[at] ?? 0) < (this.counts[least] ?? 0)) least = at
    this.hashes[least] = hash
    this.missed[least] = this.counts[least] ?? 0
    this.lines[least] = []
    return least
  }
}

/** In a file of fewer accounts, equal values or signs may be chance. */
const leastAccounts = 20

/** The least number and the least share of accounts with a wrong date for a warning. */
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
  private accounts = 0
  private readonly pointless: Places = { accounts: 0, lines: [] }
  private readonly signed = noSigns()

  /** Requires batches in the order of the file. */
  add(firstLine: number, facts: BatchFacts): void {
    const { numbers, points, values, debts, credits, dates, accounts: all, pointless, signed } = facts
    this.numbers.add(firstLine, numbers)
    this.points.add(firstLine, points)
    for (const [at, pairs] of values.entries()) this.addValues(this.frequent[at], firstLine, pairs)
    this.debts += debts
    this.credits += credits
    this.accounts += all
    addPlaces(this.pointless, pointless)
    addSigns(this.signed, signed)
    for (const [at, { accounts, future, early }] of dates.entries()) {
      const count = this.dates[at]
      if (count === undefined) continue
      count.accounts += accounts
      addPlaces(count.future, future)
      addPlaces(count.early, early)
    }
  }

  /** Supply points in several accounts of one supplier. */
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

  /** Faults that only the comparison of accounts shows; for a file of few accounts, only counts and sums. */
  warnings(accounts: number): readonly FileWarning[] {
    const counted = [...this.pointWarnings(), ...this.amountWarnings()]
    if (accounts < leastAccounts) return counted
    return [...this.signWarnings(), ...this.valueWarnings(), ...this.dateWarnings(), ...counted]
  }

  /** False also where one of the numbers is not stored. */
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

  private pointWarnings(): readonly FileWarning[] {
    const { accounts: count, lines } = this.pointless
    const check = 'accounts_without_supply_points'
    return count === 0
      ? []
      : [{ check, field: 'supply_addresses', count, of: this.accounts, atLeast: false, lines }]
  }

  private amountWarnings(): readonly FileWarning[] {
    const field = 'ledgers[].*_statement_transactions[].amount'
    return signedTypes.flatMap(([, check], at) => {
      const { all: of, negative: count, cents } = this.signed[at] ?? { all: 0, negative: 0, cents: 0n }
      const sum = moneyOf(cents)
      return count === 0 ? [] : [{ check, field, count, of, atLeast: false, lines: [], sum }]
    })
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

const noDates = (): DateCount[] =>
  datedFields.map(() => ({
    accounts: 0,
    future: { accounts: 0, lines: [] },
    early: { accounts: 0, lines: [] },
  }))

const noSigns = (): SignedCount[] => signedTypes.map(() => ({ all: 0, negative: 0, cents: 0n }))

const addSigns = (into: readonly SignedCount[], signed: readonly Readonly<SignedCount>[]): void => {
  for (const [at, { all, negative, cents }] of signed.entries()) {
    const count = into[at]
    if (count === undefined) continue
    count.all += all
    count.negative += negative
    count.cents += cents
  }
}

/** Hundredths below zero as money: `-12.30`. */
const moneyOf = (cents: bigint): string => {
  const digits = String(-cents).padStart(3, '0')
  return `-${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const addPlaces = (into: Places, { accounts, lines }: Readonly<Places>): void => {
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
  private accounts = 0
  private readonly pointless: Places = { accounts: 0, lines: [] }
  private readonly signed = noSigns()
  private readonly dates = noDates()

  /** An account with an empty number is compared with no other one. */
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
    if (facts.hasPoint !== undefined) this.accounts += 1
    if (facts.hasPoint === false) addPlaces(this.pointless, { accounts: 1, lines: [line.line] })
    addSigns(this.signed, facts.signed ?? [])
    for (const [at, { given, future, early }] of dates.entries()) {
      const count = this.dates[at]
      if (count === undefined || !given) continue
      count.accounts += 1
      if (future) addPlaces(count.future, { accounts: 1, lines: [line.line] })
      if (early) addPlaces(count.early, { accounts: 1, lines: [line.line] })
    }
  }

  facts(): BatchFacts {
    const { debts, credits, dates, accounts, pointless, signed } = this
    return {
      numbers: this.numbers.join('\n'),
      points: Uint32Array.from(this.points),
      values: this.values.map((each) => Uint32Array.from(each)),
      debts,
      credits,
      accounts,
      pointless,
      signed,
      dates,
    }
  }
}

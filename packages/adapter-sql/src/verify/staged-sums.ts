import { toMoney } from '@account-import/core/adapter-kit'
import type { SqlDecimal } from '../rows/money.js'
import { tables } from '../rows/tables.js'
import type { RowFindings } from './row-findings.js'

type AnyRow = Readonly<Record<string, unknown>>

/** Money in whole cents: sums of it are exact. */
const cents = (row: AnyRow): bigint => BigInt(toMoney(row['amount'] as SqlDecimal).replace('.', ''))

/** Adds up the transactions of each ledger that were staged, and those that are there in their places. */
export type StagedSums = Readonly<{
  staged(row: AnyRow): void
  held(row: AnyRow): void
  /** Reports the ledgers whose sums differ. */
  compare(findings: RowFindings): void
}>

export const stagedSums = (): StagedSums => {
  const differences = new Map<unknown, bigint>()
  const add = (row: AnyRow, change: bigint): void => {
    const ledger = row['ledger_ordinal']
    differences.set(ledger, (differences.get(ledger) ?? 0n) + change)
  }
  return {
    staged: (row) => add(row, -cents(row)),
    held: (row) => add(row, cents(row)),
    compare: (findings) => {
      const wrong = [...differences.values()].filter((difference) => difference !== 0n)
      if (wrong.length > 0) findings.add('sum_differs', tables.ledgers, [], wrong.length)
    },
  }
}

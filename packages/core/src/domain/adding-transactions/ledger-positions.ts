import type { TransactionToAdd } from '../../payloads/transactions-request.js'
import type { LocalDate } from '../../values/local-date.js'
import { openStatementPeriod, type StatementPeriod } from './open-statement-period.js'
import type { LedgerFacts, TransactionFacts } from './transaction-facts.js'

/** Where a transaction goes. `ledger`: index among the account's ledgers; undefined if the account has none. */
export type LedgerPosition = Readonly<{
  ledger: number | undefined
  ledgerCode: string | undefined
  period: StatementPeriod
}>

/**
 * Tells the position of a transaction: the ledger that it names, or the account's first one. Undefined where the account
 * has no ledger of that code. Periods are worked out once for each ledger.
 */
export const ledgerPositions = (
  { ledgers, firstDay }: TransactionFacts,
  today: LocalDate,
): ((sent: TransactionToAdd) => LedgerPosition | undefined) => {
  const positionOf = (facts: LedgerFacts | undefined, ledger: number | undefined): LedgerPosition => ({
    ledger,
    ledgerCode: facts?.ledgerCode,
    period: openStatementPeriod(facts, firstDay, today),
  })
  const positions = ledgers.map(positionOf)
  const byCode = new Map(positions.map((position) => [position.ledgerCode, position]))
  const first = positions[0] ?? positionOf(undefined, undefined)
  return ({ ledger_code }) => (ledger_code === undefined ? first : byCode.get(ledger_code))
}

import type { TypeOf } from 'io-ts'
import type { ErrorCode } from '../catalogue/index.js'
import type { ledger } from '../payloads/ledger.js'
import type { LocalDate } from '../values/local-date.js'
import { below, type KeyPath } from './key-path.js'
import { isRead, itemsOf, type Readable, type ReadList } from './readable.js'
import type { RuleFindings } from './rule-findings.js'
import type { ObjectRule } from './rule.js'

type Ledger = Readable<TypeOf<typeof ledger>>
type Transaction = Readable<{ transaction_date: LocalDate }>

/** A list of transactions that have to lie on one side of the closing date, and the code for those that do not. */
type Side = Readonly<{
  field: 'current_statement_transactions' | 'historical_statement_transactions'
  isAfter: boolean
  code: ErrorCode
}>

const current: Side = {
  field: 'current_statement_transactions',
  isAfter: true,
  code: 'current_statement_transaction_before_last_statement_closing_date',
}

const historical: Side = {
  field: 'historical_statement_transactions',
  isAfter: false,
  code: 'historical_statement_transaction_after_last_statement_closing_date',
}

const reportOtherSide = (
  transactions: ReadList<Transaction>,
  closing: LocalDate,
  { code, field, isAfter }: Side,
  [at, findings]: readonly [KeyPath, RuleFindings],
): void => {
  const items = itemsOf(transactions)
  for (let index = 0; index < items.length; index++) {
    const item = items[index]
    if (!isRead(item) || !isRead(item.transaction_date)) continue
    if (item.transaction_date > closing !== isAfter)
      findings.add(code, below(below(at, field), index), 'transaction_date')
  }
}

/** Historical transactions need a closing date and lie before or on it; current ones lie after it. */
export const closingDate: ObjectRule<Ledger> = (ledger, at, findings) => {
  const { last_statement_closing_date: closing, historical_statement_transactions: past } = ledger
  if (closing === undefined && isRead(past) && past.length > 0)
    findings.add(
      'historical_statement_transactions_require_last_statement_closing_date',
      at,
      'last_statement_closing_date',
    )
  if (!isRead(closing)) return
  const where = [at, findings] as const
  reportOtherSide(ledger.current_statement_transactions, closing, current, where)
  reportOtherSide(past, closing, historical, where)
}

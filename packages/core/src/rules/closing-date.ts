import type { TypeOf } from 'io-ts'
import type { ledger } from '../payloads/ledger.js'
import type { LocalDate } from '../values/local-date.js'
import { eachUnless } from './combine.js'
import { below } from './place.js'
import { isRead, type Readable } from './readable.js'
import type { ListRule, ObjectRule } from './rule.js'

type Ledger = Readable<TypeOf<typeof ledger>>
type Transaction = Readable<{ transaction_date: LocalDate }>

const afterClosing = (closing: LocalDate): ListRule<Transaction> =>
  eachUnless(
    ({ transaction_date: date }) => isRead(date) && date > closing,
    ({ transaction_date: date }, at, report) => {
      if (isRead(date) && date <= closing)
        report.add('current_statement_transaction_before_last_statement_closing_date', at, 'transaction_date')
    },
  )

const notAfterClosing = (closing: LocalDate): ListRule<Transaction> =>
  eachUnless(
    ({ transaction_date: date }) => isRead(date) && date <= closing,
    ({ transaction_date: date }, at, report) => {
      if (isRead(date) && date > closing)
        report.add(
          'historical_statement_transaction_after_last_statement_closing_date',
          at,
          'transaction_date',
        )
    },
  )

/** Section 7.3: historical transactions need a closing date, and lie up to and on it, current ones after it. */
export const closingDate: ObjectRule<Ledger> = (ledger, at, report) => {
  const { current_statement_transactions: current, historical_statement_transactions: historical } = ledger
  const closing = ledger.last_statement_closing_date
  if (closing === undefined && isRead(historical) && historical.length > 0)
    report.add(
      'historical_statement_transactions_require_last_statement_closing_date',
      at,
      'last_statement_closing_date',
    )
  if (!isRead(closing)) return
  afterClosing(closing)(current, below(at, 'current_statement_transactions'), report)
  notAfterClosing(closing)(historical, below(at, 'historical_statement_transactions'), report)
}

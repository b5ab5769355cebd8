import type { TypeOf } from 'io-ts'
import type { ledger } from '../payloads/ledger.js'
import type { transaction } from '../payloads/transaction.js'
import { closingDate } from './closing-date.js'
import { allOf, each, within } from './combine.js'
import { notInFuture } from './dates.js'
import { lastStatementBalance, ledgerBalance } from './ledger-balances.js'
import { below } from './key-path.js'
import type { Readable, ReadList } from './readable.js'
import { distinct, reportRepeats, type Distinction } from './repeats.js'
import type { ListRule } from './rule.js'
import { transactionRules } from './transactions.js'

type Ledger = Readable<TypeOf<typeof ledger>>
type Transaction = Readable<TypeOf<typeof transaction>>

const distinctLedgers = distinct<Ledger>({
  code: 'duplicate_ledger_entries_found',
  field: 'ledger_code',
  keyOf: ({ ledger_code }) => ledger_code,
})

const transactionId: Distinction<Transaction> = {
  code: 'duplicate_transaction_ids',
  field: 'transaction_id',
  keyOf: ({ transaction_id }) => transaction_id,
}

const bothLists = ['current_statement_transactions', 'historical_statement_transactions'] as const

/** Transaction ids are given once in the whole account: in any ledger, in either of its lists. */
const distinctTransactions: ListRule<Ledger> = (ledgers, at, findings) => {
  const seen = new Set<string>()
  each<Ledger>((ledger, path) => {
    for (const list of bothLists)
      reportRepeats(ledger[list], below(path, list), findings, transactionId, seen)
  })(ledgers, at, findings)
}

const transactions = each<Transaction>(
  notInFuture('transaction_date', 'transaction_in_future'),
  transactionRules,
)

/** The rules over ledgers and their transactions. */
export const ledgerRules = allOf<ReadList<Ledger>>(
  distinctLedgers,
  distinctTransactions,
  each(
    notInFuture('last_statement_closing_date'),
    ledgerBalance,
    lastStatementBalance,
    closingDate,
    within('current_statement_transactions', transactions),
    within('historical_statement_transactions', transactions),
  ),
)

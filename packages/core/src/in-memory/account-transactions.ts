import type { Ledger, Transaction } from '../domain/account-details.js'
import { accountKeyText } from '../domain/account-key.js'
import type { Account } from '../domain/account.js'
import type { AddedTransaction } from '../domain/adding-transactions/transactions-decision.js'
import type { AccountTransactions } from '../ports/account-transactions.js'
import { portCall } from '../ports/port-failure.js'
import type { LocalDate } from '../values/local-date.js'
import { existingAccount } from './existing-account.js'
import type { Tables } from './memory.js'

const timesOf = ({ details }: Account, ids: ReadonlySet<string>): Map<string, number> => {
  const times = new Map<string, number>()
  const all: readonly (readonly Transaction[])[] = [
    ...details.ledgers.flatMap((ledger) => [
      ledger.current_statement_transactions,
      ledger.historical_statement_transactions,
    ]),
    details.transactions_without_ledger,
  ]
  for (const { transaction_id: id } of all.flat()) if (ids.has(id)) times.set(id, (times.get(id) ?? 0) + 1)
  return times
}

const earliest = (days: readonly string[]): LocalDate | undefined =>
  [...days].sort()[0] as LocalDate | undefined

/** The copies of an id are numbered without gaps. */
const refuseWrong = (account: Account, added: readonly AddedTransaction[]): void => {
  const times = timesOf(account, new Set(added.map(({ transaction }) => transaction.transaction_id)))
  for (const { ledger, transaction, copy } of added) {
    if (ledger !== undefined && account.details.ledgers[ledger] === undefined)
      throw new Error('the account has no such ledger')
    const next = times.get(transaction.transaction_id) ?? 0
    if (copy < next) throw new Error('the account has the transaction')
    times.set(transaction.transaction_id, copy + 1)
  }
}

const withTransactions = (account: Account, added: readonly AddedTransaction[]): Account => {
  const of = (place: number | undefined): readonly Transaction[] =>
    added.filter(({ ledger }) => ledger === place).map(({ transaction }) => transaction)
  const ledgers = account.details.ledgers.map((ledger, place): Ledger => {
    return {
      ...ledger,
      current_statement_transactions: [...ledger.current_statement_transactions, ...of(place)],
    }
  })
  const others = [...account.details.transactions_without_ledger, ...of(undefined)]
  return { ...account, details: { ...account.details, ledgers, transactions_without_ledger: others } }
}

const call = portCall('accountTransactions')

export const accountTransactionsWithin = (tables: Tables): AccountTransactions => ({
  known: ({ key }, ids) =>
    call('known', async () => {
      const account = existingAccount(tables, key)
      const { ledgers, supply_addresses } = account.details
      return {
        ledgers: ledgers.map(({ ledger_code, last_statement_closing_date }) => ({
          ledgerCode: ledger_code,
          lastStatementClosingDate: last_statement_closing_date as LocalDate | undefined,
        })),
        timesAdded: timesOf(account, new Set(ids)),
        earliestSupplyStart: earliest(
          supply_addresses.flatMap(({ supply_points }) =>
            supply_points.map((point) => point.supply_start_date),
          ),
        ),
        earliestAtAddress: earliest(
          supply_addresses.map((entry) => entry.customer_at_supply_address_from_date),
        ),
        createdAt: account.createdAt,
      }
    }),
  add: ({ key }, added) =>
    call('add', async () => {
      const account = existingAccount(tables, key)
      refuseWrong(account, added)
      tables.accounts.set(accountKeyText(key), withTransactions(account, added))
    }),
})

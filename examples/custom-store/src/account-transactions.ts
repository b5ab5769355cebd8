import {
  portCall,
  type Account,
  type AccountForTransactions,
  type AccountTransactions,
  type LocalDate,
} from '@account-import/core'
import { changeDetails, existing } from './existing-account.js'
import type { Access } from './turns.js'

type Added = Parameters<AccountTransactions['add']>[1]

const timesAdded = ({ details }: Account): Map<string, number> => {
  const times = new Map<string, number>()
  const all = [
    ...details.ledgers.flatMap((ledger) => [
      ...ledger.current_statement_transactions,
      ...ledger.historical_statement_transactions,
    ]),
    ...details.transactions_without_ledger,
  ]
  for (const { transaction_id: id } of all) times.set(id, (times.get(id) ?? 0) + 1)
  return times
}

/** Days in ISO form compare as text. */
const earliest = (days: readonly string[]): LocalDate | undefined =>
  days.toSorted()[0] as LocalDate | undefined

const factsOf = (account: Account): AccountForTransactions => {
  const { ledgers, supply_addresses: addresses } = account.details
  return {
    ledgers: ledgers.map((ledger) => ({
      ledgerCode: ledger.ledger_code,
      lastStatementClosingDate: ledger.last_statement_closing_date as LocalDate | undefined,
    })),
    timesAdded: timesAdded(account),
    earliestSupplyStart: earliest(
      addresses.flatMap(({ supply_points: points }) => points.map((point) => point.supply_start_date)),
    ),
    earliestAtAddress: earliest(addresses.map((each) => each.customer_at_supply_address_from_date)),
    createdAt: account.createdAt,
  }
}

/** The copies of an id are numbered from 0 without gaps. */
const refuseRepeats = (account: Account, added: Added): void => {
  const times = timesAdded(account)
  for (const { ledger, copy, transaction } of added) {
    if (ledger !== undefined && account.details.ledgers[ledger] === undefined)
      throw new Error('the account has no such ledger')
    if (copy < (times.get(transaction.transaction_id) ?? 0))
      throw new Error('the account has the transaction')
    times.set(transaction.transaction_id, copy + 1)
  }
}

const call = portCall('accountTransactions')

export const accountTransactions = ({ read, change }: Access): AccountTransactions => ({
  known: ({ key }) => call('known', () => read((view) => factsOf(existing(view, key)))),
  add: ({ key }, added) =>
    call('add', () =>
      change((view) => {
        const account = existing(view, key)
        refuseRepeats(account, added)
        const of = (place: number | undefined) =>
          added.filter(({ ledger }) => ledger === place).map(({ transaction }) => transaction)
        changeDetails(view, account, {
          ledgers: account.details.ledgers.map((ledger, place) => ({
            ...ledger,
            current_statement_transactions: [...ledger.current_statement_transactions, ...of(place)],
          })),
          transactions_without_ledger: [...account.details.transactions_without_ledger, ...of(undefined)],
        })
      }),
    ),
})

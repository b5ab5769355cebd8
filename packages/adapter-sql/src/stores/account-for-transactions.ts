import type { AccountForTransactions, LocalDate, LockedAccount } from '@account-import/core'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { fromSqlInstant } from '../rows/instants.js'
import { accountKeyValues, ofAccount, ofSameAccount } from '../statements/account-key.js'
import { selectRows } from '../statements/select-rows.js'
import type { Statements } from '../session/statements.js'
import { tables } from '../rows/tables.js'

type Found = Readonly<{
  created_at: string
  supply_start: string | null
  at_address: string | null
  /** Null where the account has no ledger. */
  ledger_code: string | null
  last_statement_closing_date: string | null
}>

const earliest = (table: string, column: string): string =>
  `(SELECT MIN(own.${column}) FROM ${table} AS own WHERE ${ofSameAccount('own', 'a')})`

/** A row for each ledger, or one where there is none. */
const accountText =
  `SELECT a.created_at, ${earliest(tables.supplyPoints, 'supply_start_date')} AS supply_start, ` +
  `${earliest(tables.supplyAddresses, 'customer_at_supply_address_from_date')} AS at_address, ` +
  `l.ledger_code, l.last_statement_closing_date FROM ${tables.accounts} AS a ` +
  `LEFT JOIN ${tables.ledgers} AS l ON ${ofSameAccount('l', 'a')} ` +
  `WHERE ${ofAccount('a')} ORDER BY l.ordinal`

const copiesText = (dialect: SqlDialect): string =>
  `SELECT t.transaction_id, t.copy FROM ${dialect.jsonRows.textsJoin} ` +
  `${dialect.foundBy(`${tables.transactions} AS t`, 'transactions_by_id')} ` +
  `ON ${ofAccount('t')} AND t.transaction_id = sent.value`

/** The copies of an id are numbered from 0 on, without gaps. */
const timesAdded = (
  rows: readonly Readonly<{ transaction_id: string; copy: number }>[],
): ReadonlyMap<string, number> => {
  const times = new Map<string, number>()
  for (const { transaction_id: id, copy } of rows) times.set(id, Math.max(times.get(id) ?? 0, copy + 1))
  return times
}

const day = (text: string | null | undefined): LocalDate | undefined =>
  (text ?? undefined) as LocalDate | undefined

/** What is needed to decide about transactions of these ids, in two statements, however many ids there are. */
export const accountForTransactions = async (
  db: Statements,
  dialect: SqlDialect,
  account: LockedAccount,
  ids: readonly string[],
): Promise<AccountForTransactions> => {
  const key = accountKeyValues(account)
  const rows = await selectRows<Found>(db, accountText, key)
  const copies = await selectRows<Readonly<{ transaction_id: string; copy: number }>>(
    db,
    copiesText(dialect),
    [JSON.stringify([...new Set(ids)]), ...key],
  )
  const [first] = rows
  if (first === undefined) throw new Error('there is no account that was locked')
  return {
    ledgers: rows.flatMap(({ ledger_code, last_statement_closing_date: closed }) =>
      ledger_code === null ? [] : [{ ledgerCode: ledger_code, lastStatementClosingDate: day(closed) }],
    ),
    timesAdded: timesAdded(copies),
    earliestSupplyStart: day(first.supply_start),
    earliestAtAddress: day(first.at_address),
    createdAt: fromSqlInstant(first.created_at),
  }
}

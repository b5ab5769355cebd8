import type { AddedTransaction, LockedAccount } from '@account-import/core'
import { accountRowKey } from '../rows/account-row-key.js'
import { noLedger, transactionRow } from '../rows/transactions.js'
import { insertAccountRows } from '../statements/insert-account-rows.js'
import { accountKeyValues, ofAccount } from '../statements/account-key.js'
import { selectRows } from '../statements/select-rows.js'
import type { Session } from '../session/session.js'
import type { Statements } from '../session/statements.js'
import { tables } from '../rows/tables.js'

type LastOrdinal = Readonly<{ ledger_ordinal: number; last_ordinal: number | null }>

/**
 * Where the current transactions of a ledger end. Read backwards from the end of its part of the primary key: for a MAX
 * the server would read all of them, and MySQL 9 also where the ledger comes out of another table.
 */
const lastOrdinal =
  `(SELECT t.ordinal FROM ${tables.transactions} AS t WHERE ${ofAccount('t')} AND t.ledger_ordinal = ? ` +
  "AND t.period = 'current' ORDER BY t.ordinal DESC LIMIT 1) AS last_ordinal"

const endOfLedger =
  `SELECT l.ordinal AS ledger_ordinal, ${lastOrdinal} FROM ${tables.ledgers} AS l ` +
  `WHERE ${ofAccount('l')} AND l.ordinal = ?`

const endWithoutLedger = `SELECT ${noLedger} AS ledger_ordinal, ${lastOrdinal}`

/** The ordinals that come next in those of these ledgers that the account has. A request names few. */
const nextOrdinals = async (
  db: Statements,
  account: LockedAccount,
  ledgers: readonly number[],
): Promise<Map<number, number>> => {
  const key = accountKeyValues(account)
  const ends = ledgers.map((ledger) =>
    ledger === noLedger
      ? { text: endWithoutLedger, values: [...key, ledger] }
      : { text: endOfLedger, values: [...key, ledger, ...key, ledger] },
  )
  const lasts = await selectRows<LastOrdinal>(
    db,
    ends.map(({ text }) => text).join(' UNION ALL '),
    ends.flatMap(({ values }) => values),
  )
  return new Map(lasts.map(({ ledger_ordinal, last_ordinal }) => [ledger_ordinal, (last_ordinal ?? -1) + 1]))
}

/** Adds transactions after the current ones of their ledgers, in two statements, however many there are. */
export const appendTransactions = async (
  db: Statements,
  session: Session,
  account: LockedAccount,
  added: readonly AddedTransaction[],
): Promise<void> => {
  if (added.length === 0) return
  const key = accountRowKey(account)
  const ledgers = [...new Set(added.map(({ ledger = noLedger }) => ledger))]
  const next = await nextOrdinals(db, account, ledgers)
  const rows = added.map(({ ledger = noLedger, copy, transaction }) => {
    const ordinal = next.get(ledger)
    if (ordinal === undefined) throw new Error('the account has no such ledger')
    next.set(ledger, ordinal + 1)
    return transactionRow(transaction, {
      organisation: key.organisation,
      import_supplier: key.import_supplier,
      platform_account_number: key.platform_account_number,
      ledger_ordinal: ledger,
      period: 'current',
      ordinal,
      copy,
    })
  })
  await insertAccountRows(db, session, tables.transactions, account, rows)
}

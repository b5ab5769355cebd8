import type { Account, AccountDetails, Transaction } from '@account-import/core'
import { tables } from './tables.js'
import { accountMetadataRow } from './account-metadata.js'
import { accountReferenceRow } from './account-references.js'
import { accountRowKey, type AccountRowKey, type RowKey } from './account-row-key.js'
import { accountRow } from './accounts.js'
import { agreementRow } from './agreements.js'
import { customerRow } from './customers.js'
import { ledgerRow } from './ledgers.js'
import { createdNoteRows } from './notes.js'
import { paymentInstructionRow } from './payment-instructions.js'
import { paymentScheduleRow } from './payment-schedules.js'
import type { Row } from './row.js'
import { statementRow } from './statements.js'
import { supplyAddressRow } from './supply-addresses.js'
import { supplyPointRow } from './supply-points.js'
import { noLedger, transactionRow, type TransactionPeriod } from './transactions.js'

/** The rows of an account in one table. */
export type TableRows = Readonly<{ table: string; rows: readonly Row[] }>

const listRows = <A>(
  table: string,
  items: readonly A[],
  rowOf: (item: A, key: RowKey) => Row,
  key: AccountRowKey,
): TableRows => ({ table, rows: items.map((item, ordinal) => rowOf(item, { ...key, ordinal })) })

const supplyRows = ({ supply_addresses }: AccountDetails, key: AccountRowKey): readonly TableRows[] => {
  const points = supply_addresses.flatMap((entry, address) =>
    entry.supply_points.map((point, ordinal) => ({ point, address, ordinal })),
  )
  const agreements = points.flatMap(({ point, address, ordinal: at }) =>
    point.agreements.map((agreement, ordinal) =>
      agreementRow(agreement, { ...key, address_ordinal: address, point_ordinal: at, ordinal }),
    ),
  )
  return [
    listRows(tables.supplyAddresses, supply_addresses, supplyAddressRow, key),
    {
      table: tables.supplyPoints,
      rows: points.map(({ point, address, ordinal }) =>
        supplyPointRow(point, { ...key, address_ordinal: address, ordinal }),
      ),
    },
    { table: tables.agreements, rows: agreements },
  ]
}

/** Gives how often it was asked for a text before. */
const counter = (): ((text: string) => number) => {
  const counts = new Map<string, number>()
  return (text) => {
    const count = counts.get(text) ?? 0
    counts.set(text, count + 1)
    return count
  }
}

const ledgerRows = (details: AccountDetails, key: AccountRowKey): readonly TableRows[] => {
  const { ledgers, transactions_without_ledger: others } = details
  const copies = counter()
  const rows = (list: readonly Transaction[], ledger_ordinal: number, period: TransactionPeriod): Row[] =>
    list.map((transaction, ordinal) => {
      const copy = copies(transaction.transaction_id)
      return transactionRow(transaction, { ...key, ledger_ordinal, period, ordinal, copy })
    })
  const transactions = (period: TransactionPeriod): readonly Row[] =>
    ledgers.flatMap((ledger, at) => rows(ledger[`${period}_statement_transactions`], at, period))
  return [
    listRows(tables.ledgers, ledgers, ledgerRow, key),
    {
      table: tables.transactions,
      rows: [...transactions('current'), ...transactions('historical'), ...rows(others, noLedger, 'current')],
    },
  ]
}

/**
 * All rows of an account, table by table, always in this order, so that two transactions that insert several accounts
 * never wait for each other (a deadlock).
 */
export const accountTables = (account: Account): readonly TableRows[] => {
  const key = accountRowKey(account)
  const { details } = account
  return [
    { table: tables.accounts, rows: [accountRow(account)] },
    listRows(tables.customers, details.customers, customerRow, key),
    ...supplyRows(details, key),
    ...ledgerRows(details, key),
    listRows(tables.statements, details.statements, statementRow, key),
    { table: tables.notes, rows: createdNoteRows(details.notes, key) },
    listRows(tables.paymentSchedules, details.payment_schedules, paymentScheduleRow, key),
    listRows(tables.paymentInstructions, details.payment_instructions, paymentInstructionRow, key),
    listRows(tables.accountReferences, details.references, accountReferenceRow, key),
    listRows(tables.accountMetadata, details.metadata, accountMetadataRow, key),
  ]
}

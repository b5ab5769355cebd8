import type {
  Account,
  AccountDetails,
  AccountKey,
  SupplyAddressEntry,
  SupplyPoint,
  Transaction,
} from '@account-import/core'
import type { Knex } from 'knex'
import { accountMetadataOf, type AccountMetadataRow } from '../rows/account-metadata.js'
import { accountReferenceOf, type AccountReferenceRow } from '../rows/account-references.js'
import type { AccountRowKey } from '../rows/account-row-key.js'
import { accountOf, type AccountRow } from '../rows/accounts.js'
import { agreementOf, type AgreementRow } from '../rows/agreements.js'
import { customerOf, type CustomerRow } from '../rows/customers.js'
import { grouped } from './grouped.js'
import { importKeyRow } from '../rows/import-key.js'
import { ledgerOf, type LedgerRow } from '../rows/ledgers.js'
import { noteOf, type NoteRow } from '../rows/notes.js'
import { paymentInstructionOf, type PaymentInstructionRow } from '../rows/payment-instructions.js'
import { paymentScheduleOf, type PaymentScheduleRow } from '../rows/payment-schedules.js'
import { statementOf, type StatementRow } from '../rows/statements.js'
import { supplyAddressOf, type SupplyAddressRow } from '../rows/supply-addresses.js'
import { supplyPointOf, type SupplyPointRow } from '../rows/supply-points.js'
import { noLedger, transactionOf, type TransactionPeriod, type TransactionRow } from '../rows/transactions.js'
import { tables } from '../rows/tables.js'

/** Gives the rows of one account in one table, in payload order. */
type Read = <R>(table: string, ...ordinals: readonly string[]) => Promise<readonly R[]>

const reader =
  (db: Knex, key: AccountRowKey): Read =>
  async <R>(table: string, ...ordinals: readonly string[]) =>
    (await db(table)
      .where(key)
      .orderBy([...ordinals])) as readonly R[]

const findSupplyAddresses = async (read: Read): Promise<readonly SupplyAddressEntry[]> => {
  const addresses = await read<SupplyAddressRow>(tables.supplyAddresses, 'ordinal')
  const points = await read<SupplyPointRow>(tables.supplyPoints, 'address_ordinal', 'ordinal')
  const agreements = await read<AgreementRow>(
    tables.agreements,
    'address_ordinal',
    'point_ordinal',
    'ordinal',
  )
  const agreementsOf = grouped(agreements, (row) => `${row.address_ordinal}/${row.point_ordinal}`)
  const pointOf = (row: SupplyPointRow): SupplyPoint =>
    supplyPointOf(row, agreementsOf(`${row.address_ordinal}/${row.ordinal}`).map(agreementOf))
  const pointsOf = grouped(points, (row) => row.address_ordinal)
  return addresses.map((row) => supplyAddressOf(row, pointsOf(row.ordinal).map(pointOf)))
}

/** The ledgers with their transactions, and the transactions that belong to none. */
const findLedgers = async (
  read: Read,
): Promise<Pick<AccountDetails, 'ledgers' | 'transactions_without_ledger'>> => {
  const ledgers = await read<LedgerRow>(tables.ledgers, 'ordinal')
  const rows = await read<TransactionRow>(tables.transactions, 'ledger_ordinal', 'period', 'ordinal')
  const rowsOf = grouped(rows, (row) => `${row.ledger_ordinal}/${row.period}`)
  const transactions = (ledger: number, period: TransactionPeriod): readonly Transaction[] =>
    rowsOf(`${ledger}/${period}`).map(transactionOf)
  return {
    ledgers: ledgers.map((ledger) =>
      ledgerOf(ledger, {
        current_statement_transactions: transactions(ledger.ordinal, 'current'),
        historical_statement_transactions: transactions(ledger.ordinal, 'historical'),
      }),
    ),
    transactions_without_ledger: transactions(noLedger, 'current'),
  }
}

/** The account with all that belongs to it, equal to what was created. */
export const findAccount = async (db: Knex, key: AccountKey): Promise<Account | undefined> => {
  const row = (await db(tables.accounts).where(importKeyRow(key)).first()) as AccountRow | undefined
  if (row === undefined) return undefined
  const { organisation, import_supplier, platform_account_number } = row
  const read = reader(db, { organisation, import_supplier, platform_account_number })
  return accountOf(row, {
    customers: (await read<CustomerRow>(tables.customers, 'ordinal')).map(customerOf),
    supply_addresses: await findSupplyAddresses(read),
    notes: (await read<NoteRow>(tables.notes, 'ordinal')).map(noteOf),
    ...(await findLedgers(read)),
    payment_schedules: (await read<PaymentScheduleRow>(tables.paymentSchedules, 'ordinal')).map(
      paymentScheduleOf,
    ),
    statements: (await read<StatementRow>(tables.statements, 'ordinal')).map(statementOf),
    payment_instructions: (await read<PaymentInstructionRow>(tables.paymentInstructions, 'ordinal')).map(
      paymentInstructionOf,
    ),
    metadata: (await read<AccountMetadataRow>(tables.accountMetadata, 'ordinal')).map(accountMetadataOf),
    references: (await read<AccountReferenceRow>(tables.accountReferences, 'ordinal')).map(
      accountReferenceOf,
    ),
  })
}

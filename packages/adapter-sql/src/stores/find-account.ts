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
import type { DataKeys } from '../encryption/data-keys.js'
import { DecryptionError } from '../encryption/encrypted-text.js'
import { partTables } from '../rows/part-tables.js'
import type { Reveal } from '../rows/reveal.js'
import { revealAccount } from './reveal-account.js'
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

type FoundAccount = AccountRow & Readonly<{ data_key: string | null }>

/** Gives the rows of one account in one table, in payload order. */
type Read = <R extends object>(table: string) => readonly R[]

/** An account gets its data key with the first addition that is encrypted, perhaps while its rows are read. */
const dataKeyNow = async (db: Knex, key: AccountRowKey): Promise<string | null> => {
  const row = (await db(tables.accounts).where(key).first('data_key')) as
    | Pick<FoundAccount, 'data_key'>
    | undefined
  return row?.data_key ?? null
}

/** What those rows hide is written with them, and so is read after them. */
const readRows = async (
  db: Knex,
  dataKeys: DataKeys,
  key: AccountRowKey,
  dataKey: string | null,
): Promise<Readonly<{ read: Read; reveal: Reveal }>> => {
  const rows = new Map<string, readonly object[]>()
  for (const { table, ordinals } of partTables)
    rows.set(
      table,
      (await db(table)
        .where(key)
        .orderBy([...ordinals])) as readonly object[],
    )
  const reveal = await revealAccount(db, dataKeys, key, dataKey ?? (await dataKeyNow(db, key)))
  const read = <R extends object>(table: string): readonly R[] =>
    (rows.get(table) as readonly R[]).map((row) => reveal(table, row))
  return { read, reveal }
}

const supplyAddressesIn = (read: Read): readonly SupplyAddressEntry[] => {
  const addresses = read<SupplyAddressRow>(tables.supplyAddresses)
  const points = read<SupplyPointRow>(tables.supplyPoints)
  const agreements = read<AgreementRow>(tables.agreements)
  const agreementsOf = grouped(agreements, (row) => `${row.address_ordinal}/${row.point_ordinal}`)
  const pointOf = (row: SupplyPointRow): SupplyPoint =>
    supplyPointOf(row, agreementsOf(`${row.address_ordinal}/${row.ordinal}`).map(agreementOf))
  const pointsOf = grouped(points, (row) => row.address_ordinal)
  return addresses.map((row) => supplyAddressOf(row, pointsOf(row.ordinal).map(pointOf)))
}

/** The ledgers with their transactions, and the transactions that belong to none. */
const ledgersIn = (read: Read): Pick<AccountDetails, 'ledgers' | 'transactions_without_ledger'> => {
  const ledgers = read<LedgerRow>(tables.ledgers)
  const rows = read<TransactionRow>(tables.transactions)
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

const readAccount = async (db: Knex, dataKeys: DataKeys, key: AccountKey): Promise<Account | undefined> => {
  const row = (await db(tables.accounts).where(importKeyRow(key)).first()) as FoundAccount | undefined
  if (row === undefined) return undefined
  const { organisation, import_supplier, platform_account_number, data_key } = row
  const { read, reveal } = await readRows(
    db,
    dataKeys,
    { organisation, import_supplier, platform_account_number },
    data_key,
  )
  return accountOf(reveal(tables.accounts, row), {
    customers: read<CustomerRow>(tables.customers).map(customerOf),
    supply_addresses: supplyAddressesIn(read),
    notes: read<NoteRow>(tables.notes).map(noteOf),
    ...ledgersIn(read),
    payment_schedules: read<PaymentScheduleRow>(tables.paymentSchedules).map(paymentScheduleOf),
    statements: read<StatementRow>(tables.statements).map(statementOf),
    payment_instructions: read<PaymentInstructionRow>(tables.paymentInstructions).map(paymentInstructionOf),
    metadata: read<AccountMetadataRow>(tables.accountMetadata).map(accountMetadataOf),
    references: read<AccountReferenceRow>(tables.accountReferences).map(accountReferenceOf),
  })
}

/** The account with all that belongs to it, equal to what was created. Throws a `KeyRingError` or a `DecryptionError`. */
export const findAccount = async (
  db: Knex,
  dataKeys: DataKeys,
  key: AccountKey,
): Promise<Account | undefined> => {
  try {
    return await readAccount(db, dataKeys, key)
  } catch (cause) {
    if (!(cause instanceof DecryptionError)) throw cause
    // What its rows hide is gone if it was erased while they were read.
    return readAccount(db, dataKeys, key)
  }
}

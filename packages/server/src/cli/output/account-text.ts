import {
  toWireDatetime,
  type Account,
  type AccountNote,
  type Ledger,
  type Transaction,
} from '@account-import/core'
import { properties } from './properties.js'
import { table } from './table.js'

const section = (title: string, text: string): string => `\n${title}\n${text}`

const head = ({ key, details, ...account }: Account): string =>
  properties({
    account: account.platformAccountNumber,
    'external number': key.externalAccountNumber,
    'import supplier': key.importSupplier,
    organisation: key.organisation,
    'operations team': account.operationsTeam,
    created: toWireDatetime(account.createdAt),
    'staged version': String(account.stagedVersion),
    type: details.account_type,
    customers: details.customers.map((customer) => customer.account_roles.join('+')).join(', '),
    'supply points': details.supply_addresses
      .flatMap(({ supply_points }) => supply_points)
      .map(({ supply_type, identifier }) => `${supply_type} ${identifier}`)
      .join(', '),
  })

const pin = ({ is_pinned, unpin_at }: AccountNote): string => {
  if (!is_pinned) return '-'
  return unpin_at === undefined ? 'pinned' : `until ${toWireDatetime(unpin_at)}`
}

const noteRow = (note: AccountNote): readonly string[] => [
  toWireDatetime(note.created_at),
  pin(note),
  note.body ?? '',
  note.document_paths.map(({ document_path }) => document_path).join(', '),
]

const transactionRow =
  ({ ledger_code }: Ledger, statement: string) =>
  (transaction: Transaction): readonly string[] => [
    ledger_code,
    statement,
    transaction.transaction_date,
    transaction.amount,
    transaction.type,
    transaction.transaction_id,
  ]

const transactionRows = (ledger: Ledger): readonly (readonly string[])[] => [
  ...ledger.current_statement_transactions.map(transactionRow(ledger, 'current')),
  ...ledger.historical_statement_transactions.map(transactionRow(ledger, 'historical')),
]

/** A created account for people: what belongs to it, each kind in a table. `--json` shows every field. */
export const accountText = (account: Account): string => {
  const { notes, ledgers, statements } = account.details
  return [
    head(account),
    section('Notes', table(['CREATED AT', 'PIN', 'BODY', 'DOCUMENTS'], notes.map(noteRow), 'none')),
    section(
      'Transactions',
      table(
        ['LEDGER', 'STATEMENT', 'DATE', 'AMOUNT', 'TYPE', 'ID'],
        ledgers.flatMap(transactionRows),
        'none',
      ),
    ),
    section(
      'Statements',
      table(
        ['ID', 'FROM', 'TO', 'DOCUMENT'],
        statements.map((each) => [
          each.statement_id,
          each.bill_period_from_date,
          each.bill_period_to_date,
          each.statement_path ?? '',
        ]),
        'none',
      ),
    ),
  ].join('\n')
}

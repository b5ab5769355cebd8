import type {
  Account,
  AccountDetails,
  AccountNote,
  AccountPaymentInstruction,
  AccountStatement,
  Transaction,
} from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'
import { accountCommand } from '../command.js'
import { operatorCommands } from '../operate.js'
import { properties, table } from '../output.js'

const noteJson = ({ created_at, unpin_at, ...note }: AccountNote) => ({
  ...note,
  created_at: toWireDatetime(created_at),
  ...(unpin_at === undefined ? {} : { unpin_at: toWireDatetime(unpin_at) }),
})

const instructionJson = ({ created_at, ...instruction }: AccountPaymentInstruction) => ({
  ...instruction,
  created_at: toWireDatetime(created_at),
})

/** An account as `--json` shows it: the wire names of the payload inside `details`. */
export const accountJson = (account: Account) => ({
  import_supplier: account.key.importSupplier,
  external_account_number: account.key.externalAccountNumber,
  organisation: account.key.organisation,
  platform_account_number: account.platformAccountNumber,
  operations_team: account.operationsTeam,
  staged_version: account.stagedVersion,
  created_at: toWireDatetime(account.createdAt),
  details: {
    ...account.details,
    notes: account.details.notes.map(noteJson),
    payment_instructions: account.details.payment_instructions.map(instructionJson),
  },
})

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
  (ledgerCode: string, statement: string) =>
  (transaction: Transaction): readonly string[] => [
    ledgerCode,
    statement,
    transaction.transaction_date,
    transaction.amount,
    transaction.type,
    transaction.transaction_id,
  ]

const transactionRows = (details: AccountDetails): readonly (readonly string[])[] => [
  ...details.ledgers.flatMap((ledger) => [
    ...ledger.current_statement_transactions.map(transactionRow(ledger.ledger_code, 'current')),
    ...ledger.historical_statement_transactions.map(transactionRow(ledger.ledger_code, 'historical')),
  ]),
  ...details.transactions_without_ledger.map(transactionRow('-', 'current')),
]

const statementRow = (statement: AccountStatement): readonly string[] => [
  statement.statement_id,
  statement.bill_period_from_date,
  statement.bill_period_to_date,
  statement.issued_date ?? '',
  statement.number ?? '',
  statement.gross_amount ?? '',
  statement.statement_path ?? '',
]

const instructionRow = (instruction: AccountPaymentInstruction): readonly string[] => [
  toWireDatetime(instruction.created_at),
  instruction.vendor,
  instruction.type,
  instruction.reference,
  instruction.details.brand ?? '',
  instruction.details.last4 ?? '',
  instruction.details.expiry ?? '',
]

/** A created account for people: what belongs to it, each kind in a table. `--json` shows every field. */
const accountText = (account: Account): string => {
  const { notes, statements, payment_instructions } = account.details
  const list = (title: string, heads: readonly string[], rows: readonly (readonly string[])[]): string =>
    `\n${title}\n${rows.length === 0 ? 'none' : table(heads, rows)}`
  return [
    head(account),
    list('Notes', ['CREATED AT', 'PIN', 'BODY', 'DOCUMENTS'], notes.map(noteRow)),
    list(
      'Transactions',
      ['LEDGER', 'STATEMENT', 'DATE', 'AMOUNT', 'TYPE', 'ID'],
      transactionRows(account.details),
    ),
    list(
      'Statements',
      ['ID', 'FROM', 'TO', 'ISSUED', 'NUMBER', 'AMOUNT', 'DOCUMENT'],
      statements.map(statementRow),
    ),
    list(
      'Payment instructions',
      ['CREATED AT', 'VENDOR', 'TYPE', 'REFERENCE', 'BRAND', 'LAST 4', 'EXPIRY'],
      payment_instructions.map(instructionRow),
    ),
  ].join('\n')
}

/** `account show SUPPLIER EXTERNAL_NUMBER` */
export const make = operatorCommands((command) => [
  command(
    accountCommand('show', 'Show a created account as it is stored, with all that belongs to it.'),
    ({ operator }, importSupplier: string, externalAccountNumber: string) =>
      operator.showAccount({ importSupplier, externalAccountNumber }),
    (account) => ({ json: accountJson(account), result: accountText(account) }),
  ),
])

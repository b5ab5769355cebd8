import type {
  Account,
  AccountDetails,
  AccountNote,
  AccountPaymentInstruction,
  AccountStatement,
  Ledger,
  Transaction,
} from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'
import { Command } from 'commander'
import { accountCommandOf } from '../account-command-of.js'
import type { CliContext, JsonOption } from '../cli-io.js'
import { operate } from '../operate.js'
import { accountJson } from '../output/account-json.js'
import { properties, table } from '../output/table.js'

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
  (ledgerCode: string, statement: string) =>
  (transaction: Transaction): readonly string[] => [
    ledgerCode,
    statement,
    transaction.transaction_date,
    transaction.amount,
    transaction.type,
    transaction.transaction_id,
  ]

const ledgerRows = (ledger: Ledger): readonly (readonly string[])[] => [
  ...ledger.current_statement_transactions.map(transactionRow(ledger.ledger_code, 'current')),
  ...ledger.historical_statement_transactions.map(transactionRow(ledger.ledger_code, 'historical')),
]

const transactionRows = (details: AccountDetails): readonly (readonly string[])[] => [
  ...details.ledgers.flatMap(ledgerRows),
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

const noteHeads = ['CREATED AT', 'PIN', 'BODY', 'DOCUMENTS']
const transactionHeads = ['LEDGER', 'STATEMENT', 'DATE', 'AMOUNT', 'TYPE', 'ID']
const statementHeads = ['ID', 'FROM', 'TO', 'ISSUED', 'NUMBER', 'AMOUNT', 'DOCUMENT']
const instructionHeads = ['CREATED AT', 'VENDOR', 'TYPE', 'REFERENCE', 'BRAND', 'LAST 4', 'EXPIRY']

/** A created account for people: what belongs to it, each kind in a table. `--json` shows every field. */
export const accountText = (account: Account): string => {
  const { notes, statements, payment_instructions } = account.details
  const list = (title: string, heads: readonly string[], rows: readonly (readonly string[])[]): string =>
    section(title, rows.length === 0 ? 'none' : table(heads, rows))
  return [
    head(account),
    list('Notes', noteHeads, notes.map(noteRow)),
    list('Transactions', transactionHeads, transactionRows(account.details)),
    list('Statements', statementHeads, statements.map(statementRow)),
    list('Payment instructions', instructionHeads, payment_instructions.map(instructionRow)),
  ].join('\n')
}

const show = (context: CliContext): Command =>
  accountCommandOf('show', 'Show a created account as it is stored, with all that belongs to it.').action(
    (importSupplier: string, externalAccountNumber: string, options: JsonOption) =>
      operate(
        context,
        options,
        (operator) => operator.showAccount({ importSupplier, externalAccountNumber }),
        (account) => ({ json: accountJson(account), result: accountText(account) }),
      ),
  )

/** `account show SUPPLIER EXTERNAL_NUMBER` */
export const accountCommand = (context: CliContext): Command =>
  new Command('account').description('Accounts that were created.').addCommand(show(context))

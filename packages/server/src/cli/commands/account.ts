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
import { type Columns, properties, tableOf } from '../output.js'

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

const notes: Columns<AccountNote> = [
  ['CREATED AT', (note) => toWireDatetime(note.created_at)],
  ['PIN', pin],
  ['BODY', ({ body }) => body ?? ''],
  ['DOCUMENTS', (note) => note.document_paths.map(({ document_path: path }) => path).join(', ')],
]

/** A transaction with the place where it stands. */
type Placed = Readonly<{ ledger: string; statement: string; transaction: Transaction }>

const transactions: Columns<Placed> = [
  ['LEDGER', ({ ledger }) => ledger],
  ['STATEMENT', ({ statement }) => statement],
  ['DATE', ({ transaction }) => transaction.transaction_date],
  ['AMOUNT', ({ transaction }) => transaction.amount],
  ['TYPE', ({ transaction }) => transaction.type],
  ['ID', ({ transaction }) => transaction.transaction_id],
]

const placed = (ledger: string, statement: string, all: readonly Transaction[]): readonly Placed[] =>
  all.map((transaction) => ({ ledger, statement, transaction }))

const transactionsOf = (details: AccountDetails): readonly Placed[] => [
  ...details.ledgers.flatMap((ledger) => [
    ...placed(ledger.ledger_code, 'current', ledger.current_statement_transactions),
    ...placed(ledger.ledger_code, 'historical', ledger.historical_statement_transactions),
  ]),
  ...placed('-', 'current', details.transactions_without_ledger),
]

const statements: Columns<AccountStatement> = [
  ['ID', (statement) => statement.statement_id],
  ['FROM', (statement) => statement.bill_period_from_date],
  ['TO', (statement) => statement.bill_period_to_date],
  ['ISSUED', (statement) => statement.issued_date ?? ''],
  ['NUMBER', ({ number }) => number ?? ''],
  ['AMOUNT', (statement) => statement.gross_amount ?? ''],
  ['DOCUMENT', (statement) => statement.statement_path ?? ''],
]

const instructions: Columns<AccountPaymentInstruction> = [
  ['CREATED AT', (instruction) => toWireDatetime(instruction.created_at)],
  ['VENDOR', ({ vendor }) => vendor],
  ['TYPE', ({ type }) => type],
  ['REFERENCE', ({ reference }) => reference],
  ['BRAND', ({ details }) => details.brand ?? ''],
  ['LAST 4', ({ details }) => details.last4 ?? ''],
  ['EXPIRY', ({ details }) => details.expiry ?? ''],
]

/** A created account for people: what belongs to it, each kind in a table. `--json` shows every field. */
const accountText = (account: Account): string => {
  const { details } = account
  return [
    head(account),
    `\nNotes\n${tableOf(notes, details.notes)}`,
    `\nTransactions\n${tableOf(transactions, transactionsOf(details))}`,
    `\nStatements\n${tableOf(statements, details.statements)}`,
    `\nPayment instructions\n${tableOf(instructions, details.payment_instructions)}`,
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

import { withoutReturns } from '@account-import/account-files'
import {
  accountCommand,
  type Columns,
  latestErrorJson,
  properties,
  tableOf,
  timeJson,
} from '@account-import/cli/kit'
import type {
  Account,
  AccountDetails,
  AccountImport,
  AccountNote,
  AccountPaymentInstruction,
  AccountStatement,
  HeldAnswer,
  HeldData,
  RunFailure,
  Transaction,
} from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'
import { operatorCommands } from '../operate.js'
import { emailJson } from './outbox.js'

const noteJson = ({ created_at, unpin_at, ...note }: AccountNote) => ({
  ...note,
  created_at: toWireDatetime(created_at),
  ...(unpin_at === undefined ? {} : { unpin_at: toWireDatetime(unpin_at) }),
})

const instructionJson = ({ created_at, ...instruction }: AccountPaymentInstruction) => ({
  ...instruction,
  created_at: toWireDatetime(created_at),
})

/** The JSON form of an account for `--json`; `details` has the wire names of the payload. */
const accountJson = (account: Account) => ({
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

/** A transaction with its ledger (`-` without one) and its kind of statement. */
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

/** A created account for people: a table for each kind of its items. `--json` shows every field. */
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
export const make = operatorCommands(({ command }) => [
  command(
    accountCommand('show', 'Show a created account with all its items, as stored.').example(
      'account show LEVANTE LEV-G-000123',
    ),
    ({ operator }, importSupplier: string, externalAccountNumber: string) =>
      operator.showAccount({ importSupplier, externalAccountNumber }),
    (account) => ({ json: accountJson(account), result: accountText(account) }),
  ),
])

const importJson = (accountImport: AccountImport, held: HeldData) => ({
  staged_version: accountImport.stagedVersion,
  first_staged_at: timeJson(held.firstStagedAt),
  staged_at: timeJson(held.stagedAt),
  staged_data_sha256: held.payloadHash ?? null,
  staged_data_removed_at: timeJson(held.payloadRemovedAt),
  erased_at: timeJson(held.erasedAt),
  skipped: accountImport.skipped,
  attempts: accountImport.attempts,
  latest_error: latestErrorJson(accountImport.latestFailure),
})

const failureJson = ({ step, line, code, findings, failedAt }: RunFailure) => ({
  step,
  line: line ?? null,
  code,
  errors: findings.map((finding) => ({ code: finding.code, attr: finding.attr })),
  failed_at: toWireDatetime(failedAt),
})

/** Serialises an object with a last member of raw JSON, so that its numbers keep their spelling. */
const ending = (head: object, name: string, json: string): string =>
  `${JSON.stringify(head).slice(0, -1)},${JSON.stringify(name)}:${json}}`

const answerText = ({ status, headers, body, expiresAt }: HeldAnswer): string =>
  ending(
    { status, headers, expires_at: toWireDatetime(expiresAt) },
    'body',
    body === '' ? 'null' : withoutReturns(body),
  )

/** All stored data of an account, as one JSON document, with unchanged staged data and bodies of idempotency records. */
const subjectDocument = (held: HeldData): string => {
  const { key, accountImport } = held
  const head = {
    organisation: key.organisation,
    import_supplier: key.importSupplier,
    external_account_number: key.externalAccountNumber,
    platform_account_number: accountImport?.created?.platformAccountNumber ?? null,
    import: accountImport === undefined ? null : importJson(accountImport, held),
    account: held.account === undefined ? null : accountJson(held.account),
    email: held.email === undefined ? null : emailJson(held.email),
    import_run_failures: held.runFailures.map(failureJson),
  }
  const withAnswers = ending(head, 'idempotency_records', `[${held.answers.map(answerText).join(',')}]`)
  return `${withAnswers.slice(0, -1)},"staged_data":${withoutReturns(held.payload ?? 'null')}}`
}

/** `export-subject SUPPLIER EXTERNAL_NUMBER` */
export const makeExportSubject = operatorCommands(({ command }) =>
  command(
    accountCommand('export-subject', 'Print all data of an account, as one JSON document.').example(
      'export-subject LEVANTE LEV-G-000123 > subject.json',
    ),
    ({ operator }, importSupplier: string, externalAccountNumber: string) =>
      operator.exportSubject({ importSupplier, externalAccountNumber }),
    (held) => ({ json: undefined, result: '', document: subjectDocument(held) }),
  ),
)

import { createHash } from 'node:crypto'
import type { AccountPayload } from '@account-import/core'
import type { Execute } from './database.js'

const keyColumns = ['organisation', 'import_supplier', 'external_account_number'] as const

export type AccountKey = Readonly<Record<(typeof keyColumns)[number], string>>

/** The rows of one table, to be inserted by one statement. */
export type Rows = Readonly<{ insert: string; rows: readonly (readonly unknown[])[] }>

export const insertRows = async (execute: Execute, { insert, rows }: Rows): Promise<void> => {
  if (rows.length > 0) await execute(insert, [rows])
}

const insertInto = (table: string, columns: readonly string[]): string =>
  `INSERT INTO ${table} (${[...keyColumns, ...columns].join(', ')}) VALUES ?`

/** A part of an account that others may follow; of those of a kind, no two have the same identity and copy. */
export type Item = Readonly<{
  kind: string
  ordinal: number
  identity: string
  copy: number
  content: unknown
}>

const insertItems = insertInto('account_items', ['kind', 'ordinal', 'identity', 'copy', 'content'])

export const itemRows = (key: AccountKey, items: readonly Item[]): Rows => {
  const account = keyColumns.map((name) => key[name])
  return {
    insert: insertItems,
    rows: items.map(({ kind, ordinal, identity, copy, content }) => [
      ...account,
      kind,
      ordinal,
      identity,
      copy,
      JSON.stringify(content),
    ]),
  }
}

/** The samples have no two equal notes. */
const noteIdentity = (note: object): string => createHash('sha256').update(JSON.stringify(note)).digest('hex')

const transactionsOf = ({ ledgers = [] }: AccountPayload) =>
  (['current', 'historical'] as const).flatMap((period) =>
    ledgers.flatMap((each, ledger) =>
      (each[`${period}_statement_transactions`] ?? []).map((transaction) => ({
        ledger,
        period,
        transaction,
      })),
    ),
  )

const itemsOf = (account: AccountPayload): readonly Item[] => [
  ...(account.notes ?? []).map((content, ordinal) => ({
    kind: 'note',
    ordinal,
    identity: noteIdentity(content),
    copy: 0,
    content,
  })),
  ...(account.statements ?? []).map((content, ordinal) => ({
    kind: 'statement',
    ordinal,
    identity: content.statement_id,
    copy: 0,
    content,
  })),
  ...transactionsOf(account).map((content, ordinal) => ({
    kind: 'transaction',
    ordinal,
    identity: content.transaction.transaction_id,
    copy: 0,
    content,
  })),
]

const insertAccount = insertInto('accounts', [
  'platform_account_number',
  'operations_team',
  'staged_version',
  'created_at',
  'additions',
  'details',
])

/** The rows that processing writes for an account: its document, and its items. */
export const accountRows = (
  account: AccountPayload,
  key: AccountKey,
  platformNumber: string,
  team: string,
): readonly Rows[] => {
  const now = new Date().toISOString().slice(0, 23).replace('T', ' ')
  const { notes: _notes, statements: _statements, ledgers = [], ...rest } = account
  const details = {
    ...rest,
    ledgers: ledgers.map(
      ({ current_statement_transactions: _current, historical_statement_transactions: _old, ...ledger }) =>
        ledger,
    ),
  }
  const row = [
    ...keyColumns.map((name) => key[name]),
    platformNumber,
    team,
    1,
    now,
    0,
    JSON.stringify(details),
  ]
  return [{ insert: insertAccount, rows: [row] }, itemRows(key, itemsOf(account))]
}

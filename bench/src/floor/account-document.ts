import { createHash } from 'node:crypto'
import { instantOf, type AccountPayload } from '@account-import/core'
import { noteContent, partsOf, toWireDatetime } from '@account-import/core/adapter-kit'
import { accountFromPayload } from '@account-import/core/testing'

/** Organisation, supplier and external number. */
type AccountKey = readonly [string, string, string]

/** The rows of one table, to be inserted by one statement. */
export type Rows = Readonly<{ insert: string; rows: readonly (readonly unknown[])[] }>

const insertInto = (table: string, columns: string): string =>
  `INSERT INTO ${table} (organisation, import_supplier, external_account_number, ${columns}) VALUES ?`

const insertAccount = insertInto(
  'accounts',
  'platform_account_number, operations_team, staged_version, created_at, additions, details',
)

const insertItems = insertInto('account_items', 'kind, ordinal, identity, copy, content')

/** The columns of the items of a kind, by what tells them apart: the samples have no two of one identity and copy. */
const itemsOf = <Content>(
  kind: string,
  contents: readonly Content[],
  identityOf: (content: Content) => string,
  copyOf: (content: Content) => number = () => 0,
): readonly (readonly unknown[])[] =>
  contents.map((each, ordinal) => [kind, ordinal, identityOf(each), copyOf(each), JSON.stringify(each)])

/** The rows that processing writes for an account: its document, and its items. */
export const accountRows = (
  payload: AccountPayload,
  key: AccountKey,
  platformNumber: string,
  team: string,
): readonly Rows[] => {
  const now = instantOf(Date.now())
  const { document, items } = partsOf(accountFromPayload(payload, now))
  const created = now.replace('T', ' ').replace('Z', '')
  const rows = [
    ...itemsOf(
      'note',
      items.notes,
      (note) => createHash('sha256').update(noteContent(note)).digest('hex'),
      (note) => Number(toWireDatetime(note.created_at).replaceAll(/\D/g, '')),
    ),
    ...itemsOf('statement', items.statements, ({ statement_id }) => statement_id),
    ...itemsOf('transaction', items.transactions, ({ transaction }) => transaction.transaction_id),
  ]
  return [
    {
      insert: insertAccount,
      rows: [[...key, platformNumber, team, 1, created, 0, JSON.stringify(document)]],
    },
    { insert: insertItems, rows: rows.map((item) => [...key, ...item]) },
  ]
}

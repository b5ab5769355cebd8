import type { ClaimedEmail, Contact, EmailClaimRequest } from '@account-import/core'
import { KeyRingError } from '../encryption/data-keys.js'
import { DecryptionError } from '../encryption/encrypted-text.js'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { documentIn } from '../rows/accounts.js'
import { customerEmailOf, type CustomerEmailRow } from '../rows/customer-emails.js'
import { toSqlInstant } from '../rows/instants.js'
import type { Session } from '../session/session.js'
import type { Statements } from '../session/statements.js'
import { selectRows } from '../statements/select-rows.js'
import { updateRows } from '../statements/update-rows.js'
import { tables } from '../rows/tables.js'
import { keyColumns } from '../statements/import-keys.js'
import { marks } from '../statements/marks.js'
import { emailsById } from './emails-by-id.js'

/** Relays look at more e-mails than they take, and take some at random, so that they seldom want the same. */
const looksAt = 4

const dueIds = async (
  db: Statements,
  dialect: SqlDialect,
  { at, limit }: EmailClaimRequest,
): Promise<readonly string[]> => {
  const text =
    `SELECT id FROM ${dialect.inOrderOf(tables.customerEmails, 'customer_emails_due')} ` +
    `WHERE state = 'waiting' AND due_at <= ? ORDER BY due_at LIMIT ${limit * looksAt}`
  const rows = await selectRows<{ id: string }>(db, text, [toSqlInstant(at)])
  return rows.map(({ id }) => id)
}

/** Picks `limit` of them at random; in the same order in all relays, so that those that lock several never deadlock. */
const chosen = (ids: readonly string[], limit: number): readonly string[] =>
  ids
    .map((id) => ({ id, rank: Math.random() }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ id }) => id)
    .sort()

const take = (
  db: Statements,
  dialect: SqlDialect,
  ids: readonly string[],
  { token, at, leaseEndsAt }: EmailClaimRequest,
): Promise<number> =>
  updateRows(
    db,
    `UPDATE ${emailsById(dialect)} SET claim_token = ?, due_at = ? ` +
      `WHERE id IN (${marks(ids.length)}) AND state = 'waiting' AND due_at <= ?`,
    [token, toSqlInstant(leaseEndsAt), ...ids, toSqlInstant(at)],
  )

type TakenRow = CustomerEmailRow & Readonly<{ data_key: string | null; details: string | null }>

const takenText = (ids: number): string =>
  `SELECT e.*, a.data_key, a.details FROM ${tables.customerEmails} AS e ` +
  `LEFT JOIN ${tables.accounts} AS a ON ${keyColumns.map((column) => `a.${column} = e.${column}`).join(' AND ')} ` +
  `WHERE e.id IN (${marks(ids)}) AND e.claim_token = ?`

/** The customers of an account, as an e-mail needs them; none where the account is gone. */
const contactsOf = async ({ dataKeys }: Session, row: TakenRow): Promise<readonly Contact[]> => {
  const { details } = row
  if (details === null) return []
  const { customers } = documentIn(await dataKeys.of(row.data_key), { ...row, details })
  return customers.map(({ account_roles, given_name, email }) => ({
    account_roles,
    ...(given_name !== undefined && { given_name }),
    ...(email !== undefined && { email }),
  }))
}

/** One account that nobody can read must not keep the e-mails of others. */
const unlessUnreadable = (cause: unknown): 'unreadable' => {
  if (cause instanceof DecryptionError || cause instanceof KeyRingError) return 'unreadable'
  throw cause
}

/** The longest due of the e-mails that may be taken now, but for those that other relays take meanwhile. */
export const claimEmails = async (
  session: Session,
  request: EmailClaimRequest,
): Promise<readonly ClaimedEmail[]> => {
  const due = await session.query((db) => dueIds(db, session.dialect, request))
  if (due.length === 0) return []
  const ids = chosen(due, request.limit)
  const { token, leaseEndsAt } = request
  const rows = await session.transaction(async (db) => {
    await take(db, session.dialect, ids, request)
    return selectRows<TakenRow>(db, takenText(ids.length), [...ids, token])
  })
  const taken = new Map(rows.map((row) => [row.id, row]))
  const claimed: ClaimedEmail[] = []
  for (const id of ids) {
    const row = taken.get(id)
    if (row === undefined) continue
    const customers = await contactsOf(session, row).catch(unlessUnreadable)
    claimed.push({ email: customerEmailOf(row), token, leaseEndsAt, customers })
  }
  return claimed
}

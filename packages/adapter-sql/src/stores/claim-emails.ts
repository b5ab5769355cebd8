import type { ClaimedEmail, Contact, EmailClaimRequest } from '@account-import/core'
import type { Knex } from 'knex'
import { KeyRingError } from '../encryption/data-keys.js'
import { DecryptionError } from '../encryption/encrypted-text.js'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import {
  contactOf,
  customerEmailOf,
  type ContactRow,
  type CustomerEmailRow,
} from '../rows/customer-emails.js'
import { grouped } from './grouped.js'
import { toSqlInstant } from '../rows/instants.js'
import type { Session } from '../session/session.js'
import { selectRows } from '../statements/select-rows.js'
import { tables } from '../rows/tables.js'
import { accountKeyColumns } from '../statements/account-key.js'
import { asItIs } from '../rows/reveal.js'
import { revealAccount } from './reveal-account.js'
import { emailsById } from './emails-by-id.js'

/** Relays look at more e-mails than they take, and take some at random, so that they seldom want the same. */
const looksAt = 4

const dueIds = async (
  db: Knex,
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
  db: Knex,
  dialect: SqlDialect,
  ids: readonly string[],
  { token, at, leaseEndsAt }: EmailClaimRequest,
) =>
  db(emailsById(db, dialect))
    .whereIn('id', ids)
    .where('state', 'waiting')
    .where('due_at', '<=', toSqlInstant(at))
    .update({ claim_token: token, due_at: toSqlInstant(leaseEndsAt) })

type JoinedRow = CustomerEmailRow &
  Readonly<{ data_key: string | null; customer_ordinal: number | null }> & {
    [Column in keyof ContactRow]: ContactRow[Column] | null
  }

/** Those of the ids that the token has, each once for every customer of its account. */
const readTaken = async (db: Knex, ids: readonly string[], token: string): Promise<readonly JoinedRow[]> =>
  (await db(`${tables.customerEmails} as e`)
    .leftJoin(`${tables.accounts} as a`, (on) => {
      for (const column of accountKeyColumns) on.andOn(`a.${column}`, `e.${column}`)
    })
    .leftJoin(`${tables.customers} as c`, (on) => {
      for (const column of accountKeyColumns) on.andOn(`c.${column}`, `e.${column}`)
    })
    .whereIn('e.id', ids)
    .where('e.claim_token', token)
    .orderBy(['e.id', 'c.ordinal'])
    .select(
      'e.*',
      'a.data_key',
      { customer_ordinal: 'c.ordinal' },
      'c.account_roles',
      'c.given_name',
      'c.email',
    )) as readonly JoinedRow[]

/** The customers of one e-mail. */
const contactsOf = async (session: Session, rows: readonly JoinedRow[]): Promise<readonly Contact[]> => {
  const [first] = rows
  if (first === undefined) return []
  const { organisation, import_supplier, platform_account_number, data_key } = first
  const key = { organisation, import_supplier, platform_account_number }
  const reveal =
    data_key === null
      ? asItIs
      : await session.directly((db) => revealAccount(db, session.dataKeys, key, data_key))
  return rows.flatMap(({ customer_ordinal: ordinal, account_roles, given_name, email }) =>
    account_roles === null
      ? []
      : [contactOf(reveal(tables.customers, { ordinal, account_roles, given_name, email }))],
  )
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
  const due = await session.run((db) => dueIds(db, session.dialect, request))
  if (due.length === 0) return []
  const ids = chosen(due, request.limit)
  const { token, leaseEndsAt } = request
  const rows = await session.together(async (db) => {
    await take(db, session.dialect, ids, request)
    return readTaken(db, ids, token)
  })
  const rowsOf = grouped(rows, (row) => row.id)
  const claimed: ClaimedEmail[] = []
  for (const id of ids) {
    const [first] = rowsOf(id)
    if (first === undefined) continue
    const customers = await contactsOf(session, rowsOf(id)).catch(unlessUnreadable)
    claimed.push({ email: customerEmailOf(first), token, leaseEndsAt, customers })
  }
  return claimed
}

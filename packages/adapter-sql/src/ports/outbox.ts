import type {
  AccountKey,
  ClaimedEmail,
  CustomerEmail,
  EmailClaimRequest,
  EmailSettlement,
  EmailState,
  NewCustomerEmail,
  Outbox,
} from '@account-import/core'
import { contactsOf } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { DecryptionError, KeyRingError } from '../sql/crypto.js'
import { sqlPort } from '../sql/failures.js'
import {
  failureIn,
  importKeyOf,
  importKeyRow,
  type ImportKeyRow,
  importKeyValues,
  instant,
  jsonColumn,
  keyColumns,
  ofImport,
  ofSupplier,
  optionalInstant,
  placeholders,
  plain,
  recordTable,
  type Row,
  tables,
} from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'
import { type AccountRow, ownDetails } from './accounts.js'

/** The positions of the recipients who have received the e-mail. */
const served = jsonColumn('customer_emails.served', t.readonlyArray(t.number))

const emails = recordTable<Omit<CustomerEmail, 'key' | 'latestFailure' | 'state'>>(tables.customerEmails, {
  id: plain(),
  platformAccountNumber: plain(),
  language: plain(),
  enqueuedAt: instant,
  attempts: plain(),
  served,
})

type CustomerEmailRow = Row &
  ImportKeyRow &
  Readonly<{ id: string; latest_failure_code: string | null; latest_failure_at: string | null }> &
  (
    | Readonly<{ state: 'waiting'; due_at: string; claim_token: string | null; settled_at: null }>
    | Readonly<{ state: 'parked' | 'sent'; due_at: null; claim_token: null; settled_at: string }>
  )

const newCustomerEmailRow = (email: NewCustomerEmail): Row => ({
  ...importKeyRow(email.key),
  ...emails.rowOf({ ...email, attempts: 0, served: [] }),
  state: 'waiting',
  due_at: instant.write(email.enqueuedAt),
})

const stateOf = (row: CustomerEmailRow): EmailState => {
  if (row.state !== 'waiting') return { _tag: row.state, at: instant.read(row.settled_at) }
  const dueAt = instant.read(row.due_at)
  return row.claim_token === null
    ? { _tag: 'waiting', dueAt }
    : { _tag: 'sending', token: row.claim_token, leaseEndsAt: dueAt }
}

const customerEmailOf = (row: CustomerEmailRow): CustomerEmail => ({
  ...emails.recordOf(row),
  key: importKeyOf(row),
  latestFailure: failureIn(row),
  state: stateOf(row),
})

/**
 * The table of e-mails, read by the index on ids. By their statistics, databases prefer the index on state and time, and would
 * read all due e-mails to change a few.
 */
const emailsById = ({ dialect }: Db): string =>
  dialect.foundBy(tables.customerEmails, 'customer_emails_by_id')

/** A relay reads this many times more e-mails than it claims, and claims some at random, so that relays seldom conflict. */
const readFactor = 4

const dueIds = async (db: Db, { at, limit }: EmailClaimRequest): Promise<readonly string[]> => {
  const text =
    `SELECT id FROM ${db.dialect.inOrderOf(tables.customerEmails, 'customer_emails_due')} ` +
    `WHERE state = 'waiting' AND due_at <= ? ORDER BY due_at LIMIT ${limit * readFactor}`
  const rows = await db.select<{ id: string }>(text, [instant.write(at)])
  return rows.map(({ id }) => id)
}

/** Picks `limit` ids at random. They are sorted, so that relays lock rows in the same order and never deadlock. */
const chosen = (ids: readonly string[], limit: number): readonly string[] =>
  ids
    .map((id) => ({ id, rank: Math.random() }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ id }) => id)
    .sort()

/** The columns of an account's details; all NULL where the account is gone. */
const detailColumns = ['account_created_at', 'created_format', 'payload', 'remains', 'data_key'] as const

type DetailColumns = Pick<AccountRow, (typeof detailColumns)[number]>

type TakenRow = CustomerEmailRow & (DetailColumns | Readonly<Record<keyof DetailColumns, null>>)

const takenText = (ids: number): string =>
  `SELECT e.*, ${detailColumns.map((column) => `a.${column}`).join(', ')} FROM ${tables.customerEmails} AS e ` +
  `LEFT JOIN ${tables.accountImports} AS a ON ${keyColumns.map((column) => `a.${column} = e.${column}`).join(' AND ')} ` +
  `AND a.state = 'created' WHERE e.id IN (${placeholders(ids)}) AND e.claim_token = ?`

/** Empty where the account is gone. One unreadable account must not hold up the e-mails of others. */
const customersOf = async (session: Session, row: TakenRow): Promise<ClaimedEmail['customers']> => {
  if (row.payload === null && row.remains === null) return []
  try {
    return contactsOf((await ownDetails(session, row)).customers)
  } catch (cause) {
    if (cause instanceof DecryptionError || cause instanceof KeyRingError) return 'unreadable'
    throw cause
  }
}

/** The columns that each settlement writes, besides the code of a failure. */
const changeOf = (settlement: EmailSettlement): Readonly<{ set: string; values: readonly string[] }> => {
  const at = instant.write(settlement.at)
  switch (settlement._tag) {
    case 'sent':
      return { set: "state = 'sent', due_at = NULL, settled_at = ?", values: [at] }
    case 'parked':
      return {
        set: "state = 'parked', due_at = NULL, settled_at = ?, attempts = attempts + 1, served = ?",
        values: [at, served.write(settlement.served)],
      }
    case 'deferred':
      return {
        set: 'due_at = ?, attempts = attempts + 1, served = ?',
        values: [instant.write(settlement.dueAt), served.write(settlement.served)],
      }
    case 'released':
      return { set: 'due_at = ?', values: [at] }
  }
}

const ofClaim = "id = ? AND claim_token = ? AND state = 'waiting'"

const findText = `SELECT * FROM ${tables.customerEmails} WHERE id = ?`

/** The e-mail about an account. */
export const emailOf = async (db: Db, key: AccountKey): Promise<CustomerEmail | undefined> => {
  const text = `SELECT * FROM ${tables.customerEmails} WHERE ${ofImport}`
  const [row] = await db.select<CustomerEmailRow>(text, importKeyValues(key))
  return row && customerEmailOf(row)
}

export const sqlOutbox = (session: Session): Outbox => {
  const { inQuery, inTransaction, query, transaction } = session
  return sqlPort<Outbox>('outbox', {
    enqueue: inTransaction((db, emails) => db.insert(tables.customerEmails, emails.map(newCustomerEmailRow))),
    // Claims the e-mails that are due longest, except those that other relays claim meanwhile.
    claimDue: async (request) => {
      const due = await query((db) => dueIds(db, request))
      if (due.length === 0) return []
      const ids = chosen(due, request.limit)
      const { token, at, leaseEndsAt } = request
      const rows = await transaction(async (db) => {
        await db.change(
          `UPDATE ${emailsById(db)} SET claim_token = ?, due_at = ? ` +
            `WHERE id IN (${placeholders(ids.length)}) AND state = 'waiting' AND due_at <= ?`,
          [token, instant.write(leaseEndsAt), ...ids, instant.write(at)],
        )
        return db.select<TakenRow>(takenText(ids.length), [...ids, token])
      })
      const taken = new Map(rows.map((row) => [row.id, row]))
      const claimed: ClaimedEmail[] = []
      for (const id of ids) {
        const row = taken.get(id)
        if (row === undefined) continue
        claimed.push({
          email: customerEmailOf(row),
          token,
          leaseEndsAt,
          customers: await customersOf(session, row),
        })
      }
      return claimed
    },
    renew: inQuery(async (db, { id, token, leaseEndsAt, served: places }) => {
      const row = { due_at: instant.write(leaseEndsAt), served: served.write(places) }
      const isRenewed = await db.updateOne(emails.name, row, ofClaim, [id, token])
      return isRenewed ? 'renewed' : 'lease_lost'
    }),
    settle: inQuery(async (db, settlement) => {
      const { id, token, at, code } = settlement
      const { set, values } = changeOf(settlement)
      const failure = code === undefined ? [] : [code, instant.write(at)]
      const setFailure = code === undefined ? '' : ', latest_failure_code = ?, latest_failure_at = ?'
      const text = `UPDATE ${tables.customerEmails} SET ${set}${setFailure}, claim_token = NULL WHERE ${ofClaim}`
      return (await db.changeOne(text, [...values, ...failure, id, token])) ? 'settled' : 'lease_lost'
    }),
    // One statement reads at most `limit` entries of the index for each count.
    backlog: inQuery(async (db, limit) => {
      type BacklogRow = Readonly<{ waiting: number; parked: number; first_due_at: string | null }>
      const inState = `${db.dialect.foundBy(tables.customerEmails, 'customer_emails_due')} WHERE state =`
      const countOf = (state: string): string =>
        `(SELECT COUNT(*) FROM (SELECT 1 AS found FROM ${inState} '${state}' LIMIT ${limit}) AS some_${state})`
      const text =
        `SELECT ${countOf('waiting')} AS waiting, ${countOf('parked')} AS parked, ` +
        `(SELECT due_at FROM ${inState} 'waiting' ORDER BY due_at LIMIT 1) AS first_due_at`
      const [row] = await db.select<BacklogRow>(text)
      return {
        waiting: Number(row?.waiting),
        parked: Number(row?.parked),
        firstDueAt: optionalInstant.read(row?.first_due_at),
      }
    }),
    find: inQuery(async (db, id) => {
      const [row] = await db.select<CustomerEmailRow>(findText, [id])
      return row && customerEmailOf(row)
    }),
    page: inQuery(async (db, { organisation, importSupplier, list, after, limit }) => {
      const index = list === undefined ? 'PRIMARY' : 'customer_emails_lists'
      const rows = await db.page<CustomerEmailRow>(
        `SELECT * FROM ${db.dialect.inOrderOf(tables.customerEmails, index)} ` +
          `WHERE ${ofSupplier}${list === undefined ? '' : ' AND state = ?'}`,
        [organisation, importSupplier, list].filter((value) => value !== undefined),
        { order: ['external_account_number'], after: after === undefined ? undefined : [after], limit },
      )
      return rows.map(customerEmailOf)
    }),
    retry: async (ids, at) => {
      if (ids.length === 0) return 0
      return query((db) =>
        db.change(
          `UPDATE ${emailsById(db)} SET state = 'waiting', due_at = ?, settled_at = NULL, attempts = 0 ` +
            `WHERE id IN (${placeholders(ids.length)}) AND state IN ('parked', 'waiting') AND claim_token IS NULL`,
          [instant.write(at), ...ids.toSorted()],
        ),
      )
    },
  })
}

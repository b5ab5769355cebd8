import type {
  CustomerEmail,
  EmailPageRequest,
  EmailRenewal,
  EmailSettlement,
  Instant,
  Outbox,
} from '@account-import/core'
import type { Knex } from 'knex'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { sqlPortCall } from '../failures/sql-port-call.js'
import {
  customerEmailOf,
  newCustomerEmailRow,
  served,
  type CustomerEmailRow,
} from '../rows/customer-emails.js'
import { toSqlInstant } from '../rows/instants.js'
import type { Session } from '../session/session.js'
import { insertRows } from '../statements/insert-rows.js'
import { tables } from '../rows/tables.js'
import { backlogOf } from './outbox-backlog.js'
import { claimEmails } from './claim-emails.js'
import { emailsById } from './emails-by-id.js'

type Change = Partial<Record<keyof CustomerEmailRow, string | number | null | Knex.Raw>>

/** What each end of a claim writes, besides the code of a failure. */
const changeOf = (db: Knex, settlement: EmailSettlement): Change => {
  const attempt = { attempts: db.raw('attempts + 1') }
  const ended = { due_at: null, settled_at: toSqlInstant(settlement.at) }
  switch (settlement._tag) {
    case 'sent':
      return { state: 'sent', ...ended }
    case 'parked':
      return { state: 'parked', ...ended, ...attempt, served: served.toText(settlement.served) }
    case 'deferred':
      return { due_at: toSqlInstant(settlement.dueAt), ...attempt, served: served.toText(settlement.served) }
    case 'released':
      return { due_at: toSqlInstant(settlement.at) }
  }
}

const renew = async (
  db: Knex,
  { id, token, leaseEndsAt, served: places }: EmailRenewal,
): Promise<'renewed' | 'lease_lost'> => {
  const changed: number = await db(tables.customerEmails)
    .where({ id, claim_token: token, state: 'waiting' })
    .update({ due_at: toSqlInstant(leaseEndsAt), served: served.toText(places) })
  return changed === 1 ? 'renewed' : 'lease_lost'
}

const settle = async (db: Knex, settlement: EmailSettlement): Promise<'settled' | 'lease_lost'> => {
  const { id, token, at, code } = settlement
  const failure = code === undefined ? {} : { latest_failure_code: code, latest_failure_at: toSqlInstant(at) }
  const changed: number = await db(tables.customerEmails)
    .where({ id, claim_token: token, state: 'waiting' })
    .update({ ...changeOf(db, settlement), ...failure, claim_token: null })
  return changed === 1 ? 'settled' : 'lease_lost'
}

const find = async (db: Knex, id: string): Promise<CustomerEmail | undefined> => {
  const row = (await db(tables.customerEmails).where({ id }).first()) as CustomerEmailRow | undefined
  return row === undefined ? undefined : customerEmailOf(row)
}

const page = async (
  db: Knex,
  dialect: SqlDialect,
  { organisation, importSupplier, list, after, limit }: EmailPageRequest,
): Promise<readonly CustomerEmail[]> => {
  const index = list === undefined ? 'PRIMARY' : 'customer_emails_lists'
  const query = db(db.raw(dialect.inOrderOf(tables.customerEmails, index)))
    .where({ organisation, import_supplier: importSupplier, ...(list === undefined ? {} : { state: list }) })
    .orderBy('external_account_number')
    .limit(limit, { skipBinding: true })
  if (after !== undefined) void query.where('external_account_number', '>', after)
  return ((await query) as readonly CustomerEmailRow[]).map(customerEmailOf)
}

const retry = (db: Knex, dialect: SqlDialect, ids: readonly string[], at: Instant): Promise<number> =>
  db(emailsById(db, dialect))
    .whereIn('id', [...ids].sort())
    .whereIn('state', ['parked', 'waiting'])
    .whereNull('claim_token')
    .update({ state: 'waiting', due_at: toSqlInstant(at), settled_at: null, attempts: 0 })

const call = sqlPortCall('outbox')

export const sqlOutbox = (session: Session): Outbox => ({
  enqueue: (emails) =>
    call('enqueue', () =>
      session.plainly((db) =>
        insertRows(db, session.dialect, tables.customerEmails, emails.map(newCustomerEmailRow)),
      ),
    ),
  claimDue: (request) => call('claimDue', () => claimEmails(session, request)),
  renew: (renewal) => call('renew', () => session.run((db) => renew(db, renewal))),
  settle: (settlement) => call('settle', () => session.run((db) => settle(db, settlement))),
  backlog: (limit) => call('backlog', () => session.directly((db) => backlogOf(db, session.dialect, limit))),
  find: (id) => call('find', () => session.run((db) => find(db, id))),
  page: (request) => call('page', () => session.run((db) => page(db, session.dialect, request))),
  retry: (ids, at) => call('retry', () => session.run((db) => retry(db, session.dialect, ids, at))),
})

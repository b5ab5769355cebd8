import type {
  CustomerEmail,
  EmailPageRequest,
  EmailRenewal,
  EmailSettlement,
  Instant,
  Outbox,
} from '@account-import/core'
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
import type { Statements } from '../session/statements.js'
import { insertRows } from '../statements/insert-rows.js'
import { marks } from '../statements/marks.js'
import { selectRows } from '../statements/select-rows.js'
import { updateRows } from '../statements/update-rows.js'
import { tables } from '../rows/tables.js'
import { backlogOf } from './outbox-backlog.js'
import { claimEmails } from './claim-emails.js'
import { emailsById } from './emails-by-id.js'

type Change = Readonly<{ set: string; values: readonly (string | null)[] }>

/** What each end of a claim writes, besides the code of a failure. */
const changeOf = (settlement: EmailSettlement): Change => {
  const at = toSqlInstant(settlement.at)
  switch (settlement._tag) {
    case 'sent':
      return { set: "state = 'sent', due_at = NULL, settled_at = ?", values: [at] }
    case 'parked':
      return {
        set: "state = 'parked', due_at = NULL, settled_at = ?, attempts = attempts + 1, served = ?",
        values: [at, served.toText(settlement.served)],
      }
    case 'deferred':
      return {
        set: 'due_at = ?, attempts = attempts + 1, served = ?',
        values: [toSqlInstant(settlement.dueAt), served.toText(settlement.served)],
      }
    case 'released':
      return { set: 'due_at = ?', values: [at] }
  }
}

const ofClaim = "WHERE id = ? AND claim_token = ? AND state = 'waiting'"

const renewText = `UPDATE ${tables.customerEmails} SET due_at = ?, served = ? ${ofClaim}`

const renew = async (
  db: Statements,
  { id, token, leaseEndsAt, served: places }: EmailRenewal,
): Promise<'renewed' | 'lease_lost'> => {
  const bindings = [toSqlInstant(leaseEndsAt), served.toText(places), id, token]
  return (await updateRows(db, renewText, bindings)) === 1 ? 'renewed' : 'lease_lost'
}

const settle = async (db: Statements, settlement: EmailSettlement): Promise<'settled' | 'lease_lost'> => {
  const { id, token, at, code } = settlement
  const { set, values } = changeOf(settlement)
  const failure = code === undefined ? [] : [code, toSqlInstant(at)]
  const setFailure = code === undefined ? '' : ', latest_failure_code = ?, latest_failure_at = ?'
  const text = `UPDATE ${tables.customerEmails} SET ${set}${setFailure}, claim_token = NULL ${ofClaim}`
  return (await updateRows(db, text, [...values, ...failure, id, token])) === 1 ? 'settled' : 'lease_lost'
}

const findText = `SELECT * FROM ${tables.customerEmails} WHERE id = ?`

const find = async (db: Statements, id: string): Promise<CustomerEmail | undefined> => {
  const [row] = await selectRows<CustomerEmailRow>(db, findText, [id])
  return row && customerEmailOf(row)
}

const page = async (
  db: Statements,
  dialect: SqlDialect,
  { organisation, importSupplier, list, after, limit }: EmailPageRequest,
): Promise<readonly CustomerEmail[]> => {
  const index = list === undefined ? 'PRIMARY' : 'customer_emails_lists'
  const text =
    `SELECT * FROM ${dialect.inOrderOf(tables.customerEmails, index)} WHERE organisation = ? AND import_supplier = ? ` +
    `${list === undefined ? '' : 'AND state = ? '}${after === undefined ? '' : 'AND external_account_number > ? '}` +
    `ORDER BY external_account_number LIMIT ${Math.trunc(limit)}`
  const bindings = [organisation, importSupplier, list, after].filter((value) => value !== undefined)
  return (await selectRows<CustomerEmailRow>(db, text, bindings)).map(customerEmailOf)
}

const retry = async (
  db: Statements,
  dialect: SqlDialect,
  ids: readonly string[],
  at: Instant,
): Promise<number> => {
  if (ids.length === 0) return 0
  const text =
    `UPDATE ${emailsById(dialect)} SET state = 'waiting', due_at = ?, settled_at = NULL, attempts = 0 ` +
    `WHERE id IN (${marks(ids.length)}) AND state IN ('parked', 'waiting') AND claim_token IS NULL`
  return updateRows(db, text, [toSqlInstant(at), ...ids.toSorted()])
}

const call = sqlPortCall('outbox')

export const sqlOutbox = (session: Session): Outbox => ({
  enqueue: (emails) =>
    call('enqueue', () =>
      session.transaction((db) =>
        insertRows(db, session.dialect, tables.customerEmails, emails.map(newCustomerEmailRow)),
      ),
    ),
  claimDue: (request) => call('claimDue', () => claimEmails(session, request)),
  renew: (renewal) => call('renew', () => session.query((db) => renew(db, renewal))),
  settle: (settlement) => call('settle', () => session.query((db) => settle(db, settlement))),
  backlog: (limit) => call('backlog', () => session.query((db) => backlogOf(db, session.dialect, limit))),
  find: (id) => call('find', () => session.query((db) => find(db, id))),
  page: (request) => call('page', () => session.query((db) => page(db, session.dialect, request))),
  retry: (ids, at) => call('retry', () => session.query((db) => retry(db, session.dialect, ids, at))),
})

import type { Instant, Organisation, Organisations } from '@account-import/core'
import type { Statements } from '../drivers/statements.js'
import { sqlPortCall, unlessDuplicate } from '../sql/failures.js'
import {
  fromOptionalSqlInstant,
  fromSqlInstant,
  type NewRow,
  type Row,
  tables,
  toSqlInstant,
} from '../sql/rows.js'
import type { Session } from '../sql/session.js'
import { insertRows, marks, selectRows, updateRows } from '../sql/sql.js'

const organisationText = `SELECT code FROM ${tables.organisations} WHERE code = ?`

/**
 * Inserts the row if its organisation exists, in one statement. (Not a foreign key: sharded databases have none.)
 * To be run in a transaction: a retry between the statements would find the row that it inserted itself.
 */
export const insertForOrganisation = (
  db: Statements,
  table: string,
  row: Row & Readonly<{ organisation: string }>,
): Promise<'created' | 'taken' | 'organisation_does_not_exist'> => {
  const columns = Object.keys(row)
  const values = columns.map((column) => row[column] ?? null)
  const text =
    `INSERT INTO ${table} (${columns.join(', ')}) ` +
    `SELECT ${marks(columns.length)} FROM ${tables.organisations} WHERE code = ?`
  return unlessDuplicate(async () => {
    await db.raw(text, [...values, row.organisation])
    const there = await selectRows(db, organisationText, [row.organisation])
    return there.length === 0 ? 'organisation_does_not_exist' : 'created'
  }, 'taken')
}

export type OrganisationRow = Readonly<{
  code: string
  name: string
  created_at: string
  disabled_at: string | null
}>

const organisationRow = (organisation: Organisation): NewRow<OrganisationRow> => ({
  code: organisation.code,
  name: organisation.name,
  created_at: toSqlInstant(organisation.createdAt),
  disabled_at: organisation.disabledAt === undefined ? null : toSqlInstant(organisation.disabledAt),
})

const organisationOf = (row: OrganisationRow): Organisation => ({
  code: row.code,
  name: row.name,
  createdAt: fromSqlInstant(row.created_at),
  disabledAt: fromOptionalSqlInstant(row.disabled_at),
})

type Created = 'created' | 'code_taken'

const create = (db: Statements, { dialect }: Session, organisation: Organisation): Promise<Created> =>
  unlessDuplicate<Created, Created>(async () => {
    await insertRows(db, dialect, tables.organisations, [organisationRow(organisation)])
    return 'created'
  }, 'code_taken')

const findText = `SELECT * FROM ${tables.organisations} WHERE code = ?`

const find = async (db: Statements, code: string): Promise<Organisation | undefined> => {
  const [row] = await selectRows<OrganisationRow>(db, findText, [code])
  return row && organisationOf(row)
}

const disableText = `UPDATE ${tables.organisations} SET disabled_at = COALESCE(disabled_at, ?) WHERE code = ?`

const disable = async (db: Statements, code: string, at: Instant): Promise<boolean> =>
  (await updateRows(db, disableText, [toSqlInstant(at), code])) === 1

const enableText = `UPDATE ${tables.organisations} SET disabled_at = NULL WHERE code = ?`

const enable = async (db: Statements, code: string): Promise<boolean> =>
  (await updateRows(db, enableText, [code])) === 1

const listText = `SELECT * FROM ${tables.organisations} ORDER BY code`

const list = async (db: Statements): Promise<readonly Organisation[]> =>
  (await selectRows<OrganisationRow>(db, listText, [])).map(organisationOf)

const call = sqlPortCall('organisations')

export const sqlOrganisations = (session: Session): Organisations => ({
  create: (organisation) => call('create', () => session.query((db) => create(db, session, organisation))),
  find: (code) => call('find', () => session.query((db) => find(db, code))),
  disable: (code, at) => call('disable', () => session.query((db) => disable(db, code, at))),
  enable: (code) => call('enable', () => session.query((db) => enable(db, code))),
  list: () => call('list', () => session.query(list)),
})

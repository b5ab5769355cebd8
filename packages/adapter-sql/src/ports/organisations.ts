import type { Instant, Organisation, Organisations } from '@account-import/core'
import { sqlPort, unlessDuplicate } from '../sql/failures.js'
import {
  fromOptionalSqlInstant,
  fromSqlInstant,
  type NewRow,
  type Row,
  tables,
  toSqlInstant,
} from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'
import { marks } from '../sql/sql.js'

const organisationText = `SELECT code FROM ${tables.organisations} WHERE code = ?`

/**
 * Inserts the row if its organisation exists, in one statement. (Not a foreign key: sharded databases have none.)
 * To be run in a transaction: a retry between the statements would find the row that it inserted itself.
 */
export const insertForOrganisation = (
  db: Db,
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
    const there = await db.select(organisationText, [row.organisation])
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
  disabled_at: organisation.disabledAt && toSqlInstant(organisation.disabledAt),
})

const organisationOf = (row: OrganisationRow): Organisation => ({
  code: row.code,
  name: row.name,
  createdAt: fromSqlInstant(row.created_at),
  disabledAt: fromOptionalSqlInstant(row.disabled_at),
})

type Created = 'created' | 'code_taken'

const create = (db: Db, organisation: Organisation): Promise<Created> =>
  unlessDuplicate<Created, Created>(async () => {
    await db.insert(tables.organisations, [organisationRow(organisation)])
    return 'created'
  }, 'code_taken')

const findText = `SELECT * FROM ${tables.organisations} WHERE code = ?`

const find = async (db: Db, code: string): Promise<Organisation | undefined> => {
  const [row] = await db.select<OrganisationRow>(findText, [code])
  return row && organisationOf(row)
}

const disableText = `UPDATE ${tables.organisations} SET disabled_at = COALESCE(disabled_at, ?) WHERE code = ?`

const disable = async (db: Db, code: string, at: Instant): Promise<boolean> =>
  (await db.change(disableText, [toSqlInstant(at), code])) === 1

const enableText = `UPDATE ${tables.organisations} SET disabled_at = NULL WHERE code = ?`

const enable = async (db: Db, code: string): Promise<boolean> => (await db.change(enableText, [code])) === 1

const listText = `SELECT * FROM ${tables.organisations} ORDER BY code`

const list = async (db: Db): Promise<readonly Organisation[]> =>
  (await db.select<OrganisationRow>(listText, [])).map(organisationOf)

export const sqlOrganisations = ({ query }: Session): Organisations =>
  sqlPort<Organisations>('organisations', {
    create: (organisation) => query((db) => create(db, organisation)),
    find: (code) => query((db) => find(db, code)),
    disable: (code, at) => query((db) => disable(db, code, at)),
    enable: (code) => query((db) => enable(db, code)),
    list: () => query(list),
  })

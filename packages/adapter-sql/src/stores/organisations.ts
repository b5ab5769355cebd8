import type { Instant, Organisation, Organisations } from '@account-import/core'
import type { Knex } from 'knex'
import { unlessDuplicate } from '../failures/duplicate.js'
import { sqlPortCall } from '../failures/sql-port-call.js'
import { toSqlInstant } from '../rows/instants.js'
import { organisationOf, organisationRow, type OrganisationRow } from '../rows/organisations.js'
import type { Session } from '../session/session.js'
import { tables } from '../rows/tables.js'

type Created = 'created' | 'code_taken'

const create = (db: Knex, organisation: Organisation): Promise<Created> =>
  unlessDuplicate<Created, Created>(async () => {
    await db(tables.organisations).insert(organisationRow(organisation))
    return 'created'
  }, 'code_taken')

const find = async (db: Knex, code: string): Promise<Organisation | undefined> => {
  const row = (await db(tables.organisations).where({ code }).first()) as OrganisationRow | undefined
  return row === undefined ? undefined : organisationOf(row)
}

const setDisabledAt = async (db: Knex, code: string, disabledAt: Knex.Value | Knex.Raw): Promise<boolean> =>
  (await db(tables.organisations).where({ code }).update({ disabled_at: disabledAt })) === 1

const disable = (db: Knex, code: string, at: Instant): Promise<boolean> =>
  setDisabledAt(db, code, db.raw('COALESCE(disabled_at, ?)', [toSqlInstant(at)]))

const list = async (db: Knex): Promise<readonly Organisation[]> => {
  const rows = (await db(tables.organisations).orderBy('code')) as readonly OrganisationRow[]
  return rows.map(organisationOf)
}

const call = sqlPortCall('organisations')

export const sqlOrganisations = (session: Session): Organisations => ({
  create: (organisation) => call('create', () => session.run((db) => create(db, organisation))),
  find: (code) => call('find', () => session.run((db) => find(db, code))),
  disable: (code, at) => call('disable', () => session.run((db) => disable(db, code, at))),
  enable: (code) => call('enable', () => session.run((db) => setDisabledAt(db, code, null))),
  list: () => call('list', () => session.run(list)),
})

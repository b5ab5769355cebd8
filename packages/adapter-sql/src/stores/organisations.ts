import type { Organisation, Organisations } from '@account-import/core'
import type { Knex } from 'knex'
import { unlessDuplicate } from '../failures/duplicate.js'
import { sqlPortCall } from '../failures/sql-port-call.js'
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

const list = async (db: Knex): Promise<readonly Organisation[]> => {
  const rows = (await db(tables.organisations).orderBy('code')) as readonly OrganisationRow[]
  return rows.map(organisationOf)
}

const call = sqlPortCall('organisations')

export const sqlOrganisations = (session: Session): Organisations => ({
  create: (organisation) => call('create', () => session.run((db) => create(db, organisation))),
  find: (code) => call('find', () => session.run((db) => find(db, code))),
  list: () => call('list', () => session.run(list)),
})

import type { OperationsTeams } from '@account-import/core'
import type { Knex } from 'knex'
import { unlessDuplicate } from '../failures/duplicate.js'
import { sqlPortCall } from '../failures/sql-port-call.js'
import type { Session } from '../session/session.js'
import { tables } from '../rows/tables.js'
import { sharedReads } from './shared-reads.js'

type Created = 'created' | 'name_taken'

const create = (db: Knex, name: string): Promise<Created> =>
  unlessDuplicate<Created, Created>(async () => {
    await db(tables.operationsTeams).insert({ name })
    return 'created'
  }, 'name_taken')

const exists = async (db: Knex, name: string): Promise<boolean> => {
  const row: unknown = await db(tables.operationsTeams).where({ name }).first('name')
  return row !== undefined
}

const list = async (db: Knex): Promise<readonly string[]> =>
  (await db(tables.operationsTeams).orderBy('name').pluck('name')) as readonly string[]

const call = sqlPortCall('operationsTeams')

export const sqlOperationsTeams = (session: Session): OperationsTeams => {
  const shared = sharedReads((name: string) => session.run((db) => exists(db, name)))
  return {
    create: (name) => call('create', () => session.run((db) => create(db, name))),
    exists: (name) => call('exists', () => shared(name)),
    list: () => call('list', () => session.run(list)),
  }
}

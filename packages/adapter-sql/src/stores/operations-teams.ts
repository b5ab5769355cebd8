import type { OperationsTeams } from '@account-import/core'
import type { Knex } from 'knex'
import { unlessDuplicate } from '../failures/duplicate.js'
import { sqlPortCall } from '../failures/sql-port-call.js'
import type { Session } from '../session/session.js'
import { tables } from '../rows/tables.js'
import { selectRows } from '../statements/select-rows.js'
import { joinedReads } from './joined-reads.js'

type Created = 'created' | 'name_taken'

const create = (db: Knex, name: string): Promise<Created> =>
  unlessDuplicate<Created, Created>(async () => {
    await db(tables.operationsTeams).insert({ name })
    return 'created'
  }, 'name_taken')

const existsText = `SELECT name FROM ${tables.operationsTeams} WHERE name = ?`

/** A statement for each: those who ask at one moment ask for few teams. */
const exist = (session: Session, names: readonly string[]): Promise<readonly boolean[]> =>
  Promise.all(
    names.map((name) =>
      session.directly(async (db) => (await selectRows(db, existsText, [name])).length > 0),
    ),
  )

const list = async (db: Knex): Promise<readonly string[]> =>
  (await db(tables.operationsTeams).orderBy('name').pluck('name')) as readonly string[]

const call = sqlPortCall('operationsTeams')

export const sqlOperationsTeams = (session: Session): OperationsTeams => {
  const joined = joinedReads(
    session,
    (name: string) => name,
    (names) => exist(session, names),
  )
  return {
    create: (name) => call('create', () => session.run((db) => create(db, name))),
    exists: (name) => call('exists', () => joined(name)),
    list: () => call('list', () => session.run(list)),
  }
}

import type { OperationsTeam, OperationsTeams } from '@account-import/core'
import { sqlPort, unlessDuplicate } from '../sql/failures.js'
import { tables } from '../sql/rows.js'
import { type Db, joinedReads, type Session } from '../sql/session.js'
import { insertForOrganisation } from './organisations.js'

type Created = 'created' | 'name_taken'

const create = (db: Db, name: string): Promise<Created> =>
  unlessDuplicate<Created, Created>(async () => {
    await db.insert(tables.operationsTeams, [{ name }])
    return 'created'
  }, 'name_taken')

const bindingText = `SELECT 1 FROM ${tables.operationsTeamBindings} b WHERE b.operations_team = t.name`

const existsText =
  `SELECT t.name FROM ${tables.operationsTeams} t WHERE t.name = ? ` +
  `AND (NOT EXISTS (${bindingText}) OR EXISTS (${bindingText} AND b.organisation = ?))`

type Asked = Readonly<{ name: string; organisation: string }>

/** A statement for each: those who ask at one moment ask for few teams. */
const exist = (session: Session, asked: readonly Asked[]): Promise<readonly boolean[]> =>
  Promise.all(
    asked.map(({ name, organisation }) =>
      session.query(async (db) => (await db.select(existsText, [name, organisation])).length > 0),
    ),
  )

type Bound = 'bound' | 'team_does_not_exist' | 'organisation_does_not_exist'

const teamText = `SELECT name FROM ${tables.operationsTeams} WHERE name = ?`

const bind = async (db: Db, name: string, organisation: string): Promise<Bound> => {
  if ((await db.select(teamText, [name])).length === 0) return 'team_does_not_exist'
  const row = { operations_team: name, organisation }
  const outcome = await insertForOrganisation(db, tables.operationsTeamBindings, row)
  return outcome === 'organisation_does_not_exist' ? outcome : 'bound'
}

const unbindText = `DELETE FROM ${tables.operationsTeamBindings} WHERE operations_team = ? AND organisation = ?`

const unbind = async (db: Db, name: string, organisation: string): Promise<boolean> =>
  (await db.change(unbindText, [name, organisation])) === 1

const listText =
  `SELECT t.name, b.organisation FROM ${tables.operationsTeams} t ` +
  `LEFT JOIN ${tables.operationsTeamBindings} b ON b.operations_team = t.name ORDER BY t.name, b.organisation`

const list = async (db: Db): Promise<readonly OperationsTeam[]> => {
  const rows = await db.select<Readonly<{ name: string; organisation: string | null }>>(listText)
  const teams = new Map<string, string[]>()
  for (const { name, organisation } of rows) {
    const organisations = teams.get(name) ?? []
    if (organisation !== null) organisations.push(organisation)
    teams.set(name, organisations)
  }
  return [...teams].map(([name, organisations]) => ({ name, organisations }))
}

export const sqlOperationsTeams = (session: Session): OperationsTeams => {
  const { query, transaction } = session
  const joined = joinedReads(
    session,
    ({ name, organisation }: Asked) => JSON.stringify([organisation, name]),
    (asked) => exist(session, asked),
  )
  return sqlPort<OperationsTeams>('operationsTeams', {
    create: (name) => query((db) => create(db, name)),
    exists: (name, organisation) => joined({ name, organisation }),
    bind: (name, organisation) => transaction((db) => bind(db, name, organisation)),
    unbind: (name, organisation) => transaction((db) => unbind(db, name, organisation)),
    list: () => query(list),
  })
}

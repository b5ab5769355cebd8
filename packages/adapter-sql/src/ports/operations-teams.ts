import type { OperationsTeam, OperationsTeams } from '@account-import/core'
import type { Statements } from '../drivers/statements.js'
import { sqlPortCall, unlessDuplicate } from '../sql/failures.js'
import { tables } from '../sql/rows.js'
import { joinedReads, type Session } from '../sql/session.js'
import { insertRows, selectRows, updateRows } from '../sql/sql.js'
import { insertForOrganisation } from './organisations.js'

type Created = 'created' | 'name_taken'

const create = (db: Statements, { dialect }: Session, name: string): Promise<Created> =>
  unlessDuplicate<Created, Created>(async () => {
    await insertRows(db, dialect, tables.operationsTeams, [{ name }])
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
      session.query(async (db) => (await selectRows(db, existsText, [name, organisation])).length > 0),
    ),
  )

type Bound = 'bound' | 'team_does_not_exist' | 'organisation_does_not_exist'

const teamText = `SELECT name FROM ${tables.operationsTeams} WHERE name = ?`

const bind = async (db: Statements, name: string, organisation: string): Promise<Bound> => {
  if ((await selectRows(db, teamText, [name])).length === 0) return 'team_does_not_exist'
  const row = { operations_team: name, organisation }
  const outcome = await insertForOrganisation(db, tables.operationsTeamBindings, row)
  return outcome === 'organisation_does_not_exist' ? outcome : 'bound'
}

const unbindText = `DELETE FROM ${tables.operationsTeamBindings} WHERE operations_team = ? AND organisation = ?`

const unbind = async (db: Statements, name: string, organisation: string): Promise<boolean> =>
  (await updateRows(db, unbindText, [name, organisation])) === 1

const listText =
  `SELECT t.name, b.organisation FROM ${tables.operationsTeams} t ` +
  `LEFT JOIN ${tables.operationsTeamBindings} b ON b.operations_team = t.name ORDER BY t.name, b.organisation`

const list = async (db: Statements): Promise<readonly OperationsTeam[]> => {
  const rows = await selectRows<Readonly<{ name: string; organisation: string | null }>>(db, listText, [])
  const teams = new Map<string, string[]>()
  for (const { name, organisation } of rows) {
    const organisations = teams.get(name) ?? []
    if (organisation !== null) organisations.push(organisation)
    teams.set(name, organisations)
  }
  return [...teams].map(([name, organisations]) => ({ name, organisations }))
}

const call = sqlPortCall('operationsTeams')

export const sqlOperationsTeams = (session: Session): OperationsTeams => {
  const joined = joinedReads(
    session,
    ({ name, organisation }: Asked) => JSON.stringify([organisation, name]),
    (asked) => exist(session, asked),
  )
  return {
    create: (name) => call('create', () => session.query((db) => create(db, session, name))),
    exists: (name, organisation) => call('exists', () => joined({ name, organisation })),
    bind: (name, organisation) =>
      call('bind', () => session.transaction((db) => bind(db, name, organisation))),
    unbind: (name, organisation) =>
      call('unbind', () => session.transaction((db) => unbind(db, name, organisation))),
    list: () => call('list', () => session.query(list)),
  }
}

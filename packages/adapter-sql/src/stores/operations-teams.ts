import type { OperationsTeam, OperationsTeams } from '@account-import/core'
import type { Knex } from 'knex'
import { unlessDuplicate } from '../failures/duplicate.js'
import { sqlPortCall } from '../failures/sql-port-call.js'
import type { Session } from '../session/session.js'
import { tables } from '../rows/tables.js'
import { selectRows } from '../statements/select-rows.js'
import { insertForOrganisation } from '../statements/insert-for-organisation.js'
import { joinedReads } from './joined-reads.js'

type Created = 'created' | 'name_taken'

const create = (db: Knex, name: string): Promise<Created> =>
  unlessDuplicate<Created, Created>(async () => {
    await db(tables.operationsTeams).insert({ name })
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
      session.directly(async (db) => (await selectRows(db, existsText, [name, organisation])).length > 0),
    ),
  )

type Bound = 'bound' | 'team_does_not_exist' | 'organisation_does_not_exist'

const bind = async (db: Knex, name: string, organisation: string): Promise<Bound> => {
  const team: unknown = await db(tables.operationsTeams).where({ name }).first('name')
  if (team === undefined) return 'team_does_not_exist'
  const row = { operations_team: name, organisation }
  const outcome = await insertForOrganisation(db, tables.operationsTeamBindings, row)
  return outcome === 'organisation_does_not_exist' ? outcome : 'bound'
}

const unbind = async (db: Knex, name: string, organisation: string): Promise<boolean> =>
  (await db(tables.operationsTeamBindings).where({ operations_team: name, organisation }).delete()) === 1

const list = async (db: Knex): Promise<readonly OperationsTeam[]> => {
  const rows = (await db(`${tables.operationsTeams} as t`)
    .leftJoin(`${tables.operationsTeamBindings} as b`, 'b.operations_team', 't.name')
    .orderBy(['t.name', 'b.organisation'])
    .select('t.name', 'b.organisation')) as readonly Readonly<{ name: string; organisation: string | null }>[]
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
    create: (name) => call('create', () => session.run((db) => create(db, name))),
    exists: (name, organisation) => call('exists', () => joined({ name, organisation })),
    bind: (name, organisation) => call('bind', () => session.together((db) => bind(db, name, organisation))),
    unbind: (name, organisation) =>
      call('unbind', () => session.together((db) => unbind(db, name, organisation))),
    list: () => call('list', () => session.run(list)),
  }
}

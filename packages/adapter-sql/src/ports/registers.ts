import { isDeepStrictEqual } from 'node:util'
import {
  builtInSettings,
  type ClosedList,
  type FoundSupplier,
  type ImportSupplier,
  type ImportSuppliers,
  type OperationsTeams,
  type Organisation,
  type Organisations,
  severities,
  type SupplierSettings,
} from '@account-import/core'
import * as t from 'io-ts'
import { sqlPort, unlessDuplicate } from '../sql/failures.js'
import {
  instant,
  jsonColumn,
  oneOf,
  optionalInstant,
  placeholders,
  plain,
  recordTable,
  type Row,
  tables,
} from '../sql/rows.js'
import { type Db, joinedReads, type Session } from '../sql/session.js'

/**
 * Inserts the row if its organisation exists, in one statement. (Not a foreign key: sharded databases have none.) Needs a
 * transaction: a retry between the statements would find the row that it inserted itself.
 */
export const insertForOrganisation = (
  db: Db,
  table: string,
  row: Row,
): Promise<'created' | 'taken' | 'organisation_does_not_exist'> => {
  const columns = Object.keys(row)
  const organisation = row['organisation'] ?? null
  const text =
    `INSERT INTO ${table} (${columns.join(', ')}) ` +
    `SELECT ${placeholders(columns.length)} FROM ${tables.organisations} WHERE code = ?`
  return unlessDuplicate(async () => {
    await db.raw(text, [...columns.map((column) => row[column] ?? null), organisation])
    const there = await db.select(`SELECT code FROM ${tables.organisations} WHERE code = ?`, [organisation])
    return there.length === 0 ? 'organisation_does_not_exist' : 'created'
  }, 'taken')
}

const organisations = recordTable<Organisation>(tables.organisations, {
  code: plain(),
  name: plain(),
  createdAt: instant,
  disabledAt: optionalInstant,
})

const disableText = `UPDATE ${tables.organisations} SET disabled_at = COALESCE(disabled_at, ?) WHERE code = ?`

const sqlOrganisations = ({ inQuery }: Session): Organisations =>
  sqlPort<Organisations>('organisations', {
    create: inQuery(async (db, organisation) => {
      const isNew = await db.insertNew(organisations.name, [organisations.rowOf(organisation)])
      return isNew ? 'created' : 'code_taken'
    }),
    find: inQuery(async (db, code) => (await db.records(organisations, 'WHERE code = ?', [code]))[0]),
    disable: inQuery((db, code, at) => db.changeOne(disableText, [instant.write(at), code])),
    enable: inQuery((db, code) =>
      db.updateOne(organisations.name, { disabled_at: null }, 'code = ?', [code]),
    ),
    list: inQuery((db) => db.records(organisations, 'ORDER BY code')),
  })

const bindingText = `SELECT 1 FROM ${tables.operationsTeamBindings} b WHERE b.operations_team = t.name`

/** The team, if the organisation may name it; at most one row. Bindings: its name and the organisation. */
export const teamText =
  `SELECT t.name FROM ${tables.operationsTeams} t WHERE t.name = ? ` +
  `AND (NOT EXISTS (${bindingText}) OR EXISTS (${bindingText} AND b.organisation = ?))`

const namedText = `SELECT name FROM ${tables.operationsTeams} WHERE name = ?`
const unbindText = `DELETE FROM ${tables.operationsTeamBindings} WHERE operations_team = ? AND organisation = ?`
const listTeamsText =
  `SELECT t.name, b.organisation FROM ${tables.operationsTeams} t ` +
  `LEFT JOIN ${tables.operationsTeamBindings} b ON b.operations_team = t.name ORDER BY t.name, b.organisation`

const sqlOperationsTeams = ({ inQuery, inTransaction }: Session): OperationsTeams =>
  sqlPort<OperationsTeams>('operationsTeams', {
    create: inQuery(async (db, name) =>
      (await db.insertNew(tables.operationsTeams, [{ name }])) ? 'created' : 'name_taken',
    ),
    exists: inQuery(
      async (db, name, organisation) => (await db.select(teamText, [name, organisation])).length > 0,
    ),
    bind: inTransaction(async (db, name, organisation) => {
      if ((await db.select(namedText, [name])).length === 0) return 'team_does_not_exist'
      const row = { operations_team: name, organisation }
      const outcome = await insertForOrganisation(db, tables.operationsTeamBindings, row)
      return outcome === 'organisation_does_not_exist' ? outcome : 'bound'
    }),
    unbind: inQuery((db, name, organisation) => db.changeOne(unbindText, [name, organisation])),
    list: inQuery(async (db) => {
      const rows = await db.select<Readonly<{ name: string; organisation: string | null }>>(listTeamsText)
      const teams = new Map(rows.map(({ name }) => [name, [] as string[]]))
      for (const { name, organisation } of rows)
        if (organisation !== null) teams.get(name)?.push(organisation)
      return [...teams].map(([name, bound]) => ({ name, organisations: bound }))
    }),
  })

const closedList: t.Type<ClosedList> = t.type({
  members: t.readonlyArray(t.string),
  severity: oneOf(['error', 'warn']),
})

/** Each setting may be missing, because an earlier version saved the row. */
const settings = jsonColumn(
  'import_suppliers.settings',
  t.partial<{ [Name in keyof SupplierSettings]-?: t.Type<Required<SupplierSettings>[Name]> }>({
    severities: t.record(t.string, oneOf(severities)),
    closedLists: t.record(t.string, closedList),
    internalEmailDomains: t.readonlyArray(t.string),
    markets: t.readonlyArray(t.string),
    documentRoot: t.string,
    migrationEmails: t.boolean,
    emailLanguage: t.string,
    retentionDays: t.number,
  }),
)

const suppliers = recordTable<ImportSupplier>(tables.importSuppliers, {
  code: plain(),
  organisation: plain(),
  status: plain(),
  settings: { ...settings, read: (text) => ({ ...builtInSettings, ...settings.read(text) }) },
})

/** A supplier, if it has the revision; at most one row. Bindings: its code and organisation, and the revision. */
export const fromSupplier = `FROM ${tables.importSuppliers} WHERE code = ? AND organisation = ? AND CONCAT(status, ' ', settings) = ?`

type SupplierKey = readonly [organisation: string, code: string]

const findSupplierText = `SELECT * FROM ${tables.importSuppliers} WHERE organisation = ? AND code = ?`

const findSupplier = async (db: Db, key: SupplierKey): Promise<FoundSupplier | undefined> => {
  const [row] = await db.select<Row>(findSupplierText, key)
  return row && { ...suppliers.recordOf(row), revision: `${row['status']} ${row['settings']}` }
}

const byCodeText = `SELECT * FROM ${tables.importSuppliers} WHERE code = ?`

const sqlImportSuppliers = (session: Session): ImportSuppliers => {
  const { inQuery, inTransaction, query } = session
  // One statement for each supplier: concurrent callers need few suppliers.
  const joined = joinedReads(session, JSON.stringify, (keys: readonly SupplierKey[]) =>
    Promise.all(keys.map((key) => query((db) => findSupplier(db, key)))),
  )
  return sqlPort<ImportSuppliers>('importSuppliers', {
    find: (organisation, code) => joined([organisation, code]),
    findByCode: inQuery(async (db, code) => (await db.records(suppliers, 'WHERE code = ?', [code]))[0]),
    create: inTransaction(async (db, supplier) => {
      const outcome = await insertForOrganisation(db, suppliers.name, suppliers.rowOf(supplier))
      return outcome === 'taken' ? 'code_taken' : outcome
    }),
    setStatus: inQuery((db, code, status) => db.updateOne(suppliers.name, { status }, 'code = ?', [code])),
    // The update compares with exactly the text that was read, so that only one of several concurrent changes is saved.
    saveSettings: inQuery(async (db, code, before, after) => {
      const [row] = await db.select<Row>(byCodeText, [code])
      if (row === undefined) return 'does_not_exist'
      if (!isDeepStrictEqual(suppliers.recordOf(row).settings, before)) return 'changed_meanwhile'
      const changed = { settings: settings.write(after) }
      const known = [code, row['settings'] ?? null]
      const isSaved = await db.updateOne(suppliers.name, changed, 'code = ? AND settings = ?', known)
      return isSaved ? 'saved' : 'changed_meanwhile'
    }),
    list: inQuery((db) => db.records(suppliers, 'ORDER BY code')),
  })
}

/** The operator's registers, except those of access. */
export const sqlRegisters = (session: Session) => ({
  importSuppliers: sqlImportSuppliers(session),
  operationsTeams: sqlOperationsTeams(session),
  organisations: sqlOrganisations(session),
})

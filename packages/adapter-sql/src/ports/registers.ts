import { isDeepStrictEqual } from 'node:util'
import {
  builtInSettings,
  type ClosedList,
  type FoundSupplier,
  type ImportSupplier,
  type ImportSuppliers,
  type Instant,
  type OperationsTeam,
  type OperationsTeams,
  type Organisation,
  type Organisations,
  type SettingsSaved,
  severities,
  type SupplierSettings,
  type SupplierStatus,
} from '@account-import/core'
import * as t from 'io-ts'
import { sqlPort, unlessDuplicate } from '../sql/failures.js'
import {
  fromOptionalSqlInstant,
  fromSqlInstant,
  jsonColumn,
  type NewRow,
  oneOf,
  type Row,
  tables,
  toSqlInstant,
} from '../sql/rows.js'
import { type Db, joinedReads, type Session } from '../sql/session.js'
import { placeholders } from '../sql/sql.js'

const organisationText = `SELECT code FROM ${tables.organisations} WHERE code = ?`

/**
 * Inserts the row if its organisation exists, in one statement. (Not a foreign key: sharded databases have none.)
 * To be run in a transaction: a retry between the statements would findOrganisation the row that it inserted itself.
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
    `SELECT ${placeholders(columns.length)} FROM ${tables.organisations} WHERE code = ?`
  return unlessDuplicate(async () => {
    await db.raw(text, [...values, row.organisation])
    const there = await db.select(organisationText, [row.organisation])
    return there.length === 0 ? 'organisation_does_not_exist' : 'created'
  }, 'taken')
}

type OrganisationRow = Readonly<{
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

const createOrganisation = async (db: Db, organisation: Organisation): Promise<'created' | 'code_taken'> =>
  (await db.insertNew(tables.organisations, [organisationRow(organisation)])) ? 'created' : 'code_taken'

const findOrganisationText = `SELECT * FROM ${tables.organisations} WHERE code = ?`

const findOrganisation = async (db: Db, code: string): Promise<Organisation | undefined> => {
  const [row] = await db.select<OrganisationRow>(findOrganisationText, [code])
  return row && organisationOf(row)
}

const disableText = `UPDATE ${tables.organisations} SET disabled_at = COALESCE(disabled_at, ?) WHERE code = ?`

const disable = async (db: Db, code: string, at: Instant): Promise<boolean> =>
  (await db.change(disableText, [toSqlInstant(at), code])) === 1

const enableText = `UPDATE ${tables.organisations} SET disabled_at = NULL WHERE code = ?`

const enable = async (db: Db, code: string): Promise<boolean> => (await db.change(enableText, [code])) === 1

const listOrganisationsText = `SELECT * FROM ${tables.organisations} ORDER BY code`

const listOrganisations = async (db: Db): Promise<readonly Organisation[]> =>
  (await db.select<OrganisationRow>(listOrganisationsText, [])).map(organisationOf)

const sqlOrganisations = ({ query }: Session): Organisations =>
  sqlPort<Organisations>('organisations', {
    create: (organisation) => query((db) => createOrganisation(db, organisation)),
    find: (code) => query((db) => findOrganisation(db, code)),
    disable: (code, at) => query((db) => disable(db, code, at)),
    enable: (code) => query((db) => enable(db, code)),
    list: () => query(listOrganisations),
  })

const createTeam = async (db: Db, name: string): Promise<'created' | 'name_taken'> =>
  (await db.insertNew(tables.operationsTeams, [{ name }])) ? 'created' : 'name_taken'

const bindingText = `SELECT 1 FROM ${tables.operationsTeamBindings} b WHERE b.operations_team = t.name`

/** The team, as long as the organisation may name it; at most one row. Bindings: its name and the organisation. */
export const teamText =
  `SELECT t.name FROM ${tables.operationsTeams} t WHERE t.name = ? ` +
  `AND (NOT EXISTS (${bindingText}) OR EXISTS (${bindingText} AND b.organisation = ?))`

type Bound = 'bound' | 'team_does_not_exist' | 'organisation_does_not_exist'

const bind = async (db: Db, name: string, organisation: string): Promise<Bound> => {
  const named = await db.select(`SELECT name FROM ${tables.operationsTeams} WHERE name = ?`, [name])
  if (named.length === 0) return 'team_does_not_exist'
  const row = { operations_team: name, organisation }
  const outcome = await insertForOrganisation(db, tables.operationsTeamBindings, row)
  return outcome === 'organisation_does_not_exist' ? outcome : 'bound'
}

const unbindText = `DELETE FROM ${tables.operationsTeamBindings} WHERE operations_team = ? AND organisation = ?`

const unbind = async (db: Db, name: string, organisation: string): Promise<boolean> =>
  (await db.change(unbindText, [name, organisation])) === 1

const listTeamsText =
  `SELECT t.name, b.organisation FROM ${tables.operationsTeams} t ` +
  `LEFT JOIN ${tables.operationsTeamBindings} b ON b.operations_team = t.name ORDER BY t.name, b.organisation`

const listTeams = async (db: Db): Promise<readonly OperationsTeam[]> => {
  const rows = await db.select<Readonly<{ name: string; organisation: string | null }>>(listTeamsText)
  const teams = new Map<string, string[]>()
  for (const { name, organisation } of rows) {
    const organisations = teams.get(name) ?? []
    if (organisation !== null) organisations.push(organisation)
    teams.set(name, organisations)
  }
  return [...teams].map(([name, organisations]) => ({ name, organisations }))
}

const sqlOperationsTeams = ({ query, transaction }: Session): OperationsTeams =>
  sqlPort<OperationsTeams>('operationsTeams', {
    create: (name) => query((db) => createTeam(db, name)),
    exists: (name, organisation) =>
      query(async (db) => (await db.select(teamText, [name, organisation])).length > 0),
    bind: (name, organisation) => transaction((db) => bind(db, name, organisation)),
    unbind: (name, organisation) => transaction((db) => unbind(db, name, organisation)),
    list: () => query(listTeams),
  })

type ImportSupplierRow = Readonly<{
  code: string
  organisation: string
  status: SupplierStatus
  settings: string
}>

const closedList: t.Type<ClosedList> = t.type({
  members: t.readonlyArray(t.string),
  severity: oneOf(['error', 'warn']),
})

/** Any may be missing: settings that were saved before there was a certain one do not have it. */
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

const importSupplierRow = (supplier: ImportSupplier): NewRow<ImportSupplierRow> => ({
  code: supplier.code,
  organisation: supplier.organisation,
  status: supplier.status,
  settings: settings.toText(supplier.settings),
})

const importSupplierOf = (row: ImportSupplierRow): ImportSupplier => ({
  organisation: row.organisation,
  code: row.code,
  status: row.status,
  settings: { ...builtInSettings, ...settings.fromText(row.settings) },
})

/** The revision of a supplier as an expression over its row. */
const revisionText = "CONCAT(status, ' ', settings)"

/** A supplier as long as it has the revision; at most one row. Bindings: its code and organisation, and the revision. */
export const fromSupplier = `FROM ${tables.importSuppliers} WHERE code = ? AND organisation = ? AND ${revisionText} = ?`

const foundSupplierOf = (row: ImportSupplierRow): FoundSupplier => ({
  ...importSupplierOf(row),
  revision: `${row.status} ${row.settings}`,
})

type SupplierKey = readonly [organisation: string, code: string]

const findSupplierText = `SELECT * FROM ${tables.importSuppliers} WHERE organisation = ? AND code = ?`

/** A statement for each: those who ask at one moment ask for few suppliers. */
const findSupplier = (
  session: Session,
  keys: readonly SupplierKey[],
): Promise<readonly (FoundSupplier | undefined)[]> =>
  Promise.all(
    keys.map(async (key) => {
      const [row] = await session.query((db) => db.select<ImportSupplierRow>(findSupplierText, key))
      return row && foundSupplierOf(row)
    }),
  )

const byCodeText = `SELECT * FROM ${tables.importSuppliers} WHERE code = ?`

const findByCode = async (db: Db, code: string): Promise<ImportSupplier | undefined> => {
  const [row] = await db.select<ImportSupplierRow>(byCodeText, [code])
  return row && importSupplierOf(row)
}

const createSupplier = async (
  db: Db,
  supplier: ImportSupplier,
): Promise<'created' | 'code_taken' | 'organisation_does_not_exist'> => {
  const outcome = await insertForOrganisation(db, tables.importSuppliers, importSupplierRow(supplier))
  return outcome === 'taken' ? 'code_taken' : outcome
}

const statusText = `UPDATE ${tables.importSuppliers} SET status = ? WHERE code = ?`

const setStatus = async (db: Db, code: string, status: SupplierStatus): Promise<boolean> =>
  (await db.change(statusText, [status, code])) === 1

const saveText = `UPDATE ${tables.importSuppliers} SET settings = ? WHERE code = ? AND settings = ?`

/** The update compares with exactly the text that was read, so that of several changes at once only one is saved. */
const saveSettings = async (
  db: Db,
  code: string,
  before: SupplierSettings,
  after: SupplierSettings,
): Promise<SettingsSaved> => {
  const [row] = await db.select<ImportSupplierRow>(byCodeText, [code])
  if (row === undefined) return 'does_not_exist'
  if (!isDeepStrictEqual(importSupplierOf(row).settings, before)) return 'changed_meanwhile'
  const saved = await db.change(saveText, [settings.toText(after), code, row.settings])
  return saved === 1 ? 'saved' : 'changed_meanwhile'
}

const listSuppliersText = `SELECT * FROM ${tables.importSuppliers} ORDER BY code`

const listSuppliers = async (db: Db): Promise<readonly ImportSupplier[]> =>
  (await db.select<ImportSupplierRow>(listSuppliersText, [])).map(importSupplierOf)

const sqlImportSuppliers = (session: Session): ImportSuppliers => {
  const { query, transaction } = session
  const joined = joinedReads<SupplierKey, FoundSupplier | undefined>(session, JSON.stringify, (keys) =>
    findSupplier(session, keys),
  )
  return sqlPort<ImportSuppliers>('importSuppliers', {
    find: (organisation, code) => joined([organisation, code]),
    findByCode: (code) => query((db) => findByCode(db, code)),
    create: (supplier) => transaction((db) => createSupplier(db, supplier)),
    setStatus: (code, status) => query((db) => setStatus(db, code, status)),
    saveSettings: (code, before, after) => query((db) => saveSettings(db, code, before, after)),
    list: () => query(listSuppliers),
  })
}

/** The registers that the operator keeps, besides those of access. */
export const sqlRegisters = (session: Session) => ({
  importSuppliers: sqlImportSuppliers(session),
  operationsTeams: sqlOperationsTeams(session),
  organisations: sqlOrganisations(session),
})

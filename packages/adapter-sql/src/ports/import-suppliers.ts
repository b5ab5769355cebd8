import { isDeepStrictEqual } from 'node:util'
import {
  builtInSettings,
  type ClosedList,
  type FoundSupplier,
  type ImportSupplier,
  type ImportSuppliers,
  type SettingsSaved,
  severities,
  type SupplierSettings,
  type SupplierStatus,
} from '@account-import/core'
import * as t from 'io-ts'
import { sqlPort } from '../sql/failures.js'
import { jsonColumn, type NewRow, oneOf, tables } from '../sql/rows.js'
import { type Db, joinedReads, type Session } from '../sql/session.js'
import { insertForOrganisation } from './organisations.js'

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

type SettingsTypes = { [Name in keyof SupplierSettings]-?: t.Type<Required<SupplierSettings>[Name]> }

/** Any may be missing: settings that were saved before there was a certain one do not have it. */
const settings = jsonColumn(
  'import_suppliers.settings',
  t.partial<SettingsTypes>({
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

/** What the revision of a supplier is, as an expression over its row; the server works it out for each staging. */
export const revisionText = "CONCAT(status, ' ', settings)"

const foundSupplierOf = (row: ImportSupplierRow): FoundSupplier => ({
  ...importSupplierOf(row),
  revision: `${row.status} ${row.settings}`,
})

type Created = 'created' | 'code_taken' | 'organisation_does_not_exist'

type SupplierKey = readonly [organisation: string, code: string]

const findText = `SELECT * FROM ${tables.importSuppliers} WHERE organisation = ? AND code = ?`

/** A statement for each: those who ask at one moment ask for few suppliers. */
const find = (
  session: Session,
  keys: readonly SupplierKey[],
): Promise<readonly (FoundSupplier | undefined)[]> =>
  Promise.all(
    keys.map(async (key) => {
      const [row] = await session.query((db) => db.select<ImportSupplierRow>(findText, key))
      return row && foundSupplierOf(row)
    }),
  )

const byCodeText = `SELECT * FROM ${tables.importSuppliers} WHERE code = ?`

const findByCode = async (db: Db, code: string): Promise<ImportSupplier | undefined> => {
  const [row] = await db.select<ImportSupplierRow>(byCodeText, [code])
  return row && importSupplierOf(row)
}

const create = async (db: Db, supplier: ImportSupplier): Promise<Created> => {
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

const listText = `SELECT * FROM ${tables.importSuppliers} ORDER BY code`

const list = async (db: Db): Promise<readonly ImportSupplier[]> =>
  (await db.select<ImportSupplierRow>(listText, [])).map(importSupplierOf)

export const sqlImportSuppliers = (session: Session): ImportSuppliers => {
  const { query, transaction } = session
  const joined = joinedReads<SupplierKey, FoundSupplier | undefined>(session, JSON.stringify, (keys) =>
    find(session, keys),
  )
  return sqlPort<ImportSuppliers>('importSuppliers', {
    find: (organisation, code) => joined([organisation, code]),
    findByCode: (code) => query((db) => findByCode(db, code)),
    create: (supplier) => transaction((db) => create(db, supplier)),
    setStatus: (code, status) => query((db) => setStatus(db, code, status)),
    saveSettings: (code, before, after) => query((db) => saveSettings(db, code, before, after)),
    list: () => query(list),
  })
}

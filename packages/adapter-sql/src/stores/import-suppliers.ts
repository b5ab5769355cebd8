import type {
  FoundSupplier,
  ImportSupplier,
  ImportSuppliers,
  SettingsSaved,
  SupplierSettings,
} from '@account-import/core'
import type { Knex } from 'knex'
import { isDeepStrictEqual } from 'node:util'
import { sqlPortCall } from '../failures/sql-port-call.js'
import {
  foundSupplierOf,
  importSupplierOf,
  importSupplierRow,
  settings,
  type ImportSupplierRow,
} from '../rows/import-suppliers.js'
import type { Session } from '../session/session.js'
import { insertForOrganisation } from '../statements/insert-for-organisation.js'
import { tables } from '../rows/tables.js'
import { selectRows } from '../statements/select-rows.js'
import { joinedReads } from './joined-reads.js'

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
      const [row] = await session.directly((db) => selectRows<ImportSupplierRow>(db, findText, key))
      return row && foundSupplierOf(row)
    }),
  )

const findByCode = async (db: Knex, code: string): Promise<ImportSupplier | undefined> => {
  const row = (await db(tables.importSuppliers).where({ code }).first()) as ImportSupplierRow | undefined
  return row && importSupplierOf(row)
}

const create = async (db: Knex, supplier: ImportSupplier): Promise<Created> => {
  const outcome = await insertForOrganisation(db, tables.importSuppliers, importSupplierRow(supplier))
  return outcome === 'taken' ? 'code_taken' : outcome
}

const change = async (db: Knex, code: string, set: Partial<ImportSupplierRow>): Promise<boolean> =>
  (await db(tables.importSuppliers).where({ code }).update(set)) === 1

/** The update compares with exactly the text that was read, so that of several changes at once only one is saved. */
const saveSettings = async (
  db: Knex,
  code: string,
  before: SupplierSettings,
  after: SupplierSettings,
): Promise<SettingsSaved> => {
  const row = (await db(tables.importSuppliers).where({ code }).first()) as ImportSupplierRow | undefined
  if (row === undefined) return 'does_not_exist'
  if (!isDeepStrictEqual(importSupplierOf(row).settings, before)) return 'changed_meanwhile'
  const saved = await db(tables.importSuppliers)
    .where({ code, settings: row.settings })
    .update({ settings: settings.toText(after) })
  return saved === 1 ? 'saved' : 'changed_meanwhile'
}

const list = async (db: Knex): Promise<readonly ImportSupplier[]> => {
  const rows = (await db(tables.importSuppliers).orderBy('code')) as readonly ImportSupplierRow[]
  return rows.map(importSupplierOf)
}

const call = sqlPortCall('importSuppliers')

export const sqlImportSuppliers = (session: Session): ImportSuppliers => {
  const joined = joinedReads<SupplierKey, FoundSupplier | undefined>(session, JSON.stringify, (keys) =>
    find(session, keys),
  )
  return {
    find: (organisation, code) => call('find', () => joined([organisation, code])),
    findByCode: (code) => call('findByCode', () => session.run((db) => findByCode(db, code))),
    create: (supplier) => call('create', () => session.together((db) => create(db, supplier))),
    setStatus: (code, status) => call('setStatus', () => session.run((db) => change(db, code, { status }))),
    saveSettings: (code, before, after) =>
      call('saveSettings', () => session.run((db) => saveSettings(db, code, before, after))),
    list: () => call('list', () => session.run(list)),
  }
}

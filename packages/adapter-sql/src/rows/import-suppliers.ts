import {
  builtInSettings,
  severities,
  type ClosedList,
  type FoundSupplier,
  type ImportSupplier,
  type SupplierSettings,
  type SupplierStatus,
} from '@account-import/core'
import { jsonColumn } from './json-column.js'
import type { NewRow } from './row.js'
import { listOf, number, objectOf, oneOf, optional, recordOf, text } from './shapes.js'

export type ImportSupplierRow = Readonly<{
  code: string
  organisation: string
  status: SupplierStatus
  settings: string
}>

const closedList = objectOf<ClosedList>({ members: listOf(text), severity: oneOf(['error', 'warn']) })

/** Any may be missing: settings that were saved before there was a certain one do not have it. */
export const settings = jsonColumn(
  'import_suppliers.settings',
  objectOf<Partial<SupplierSettings>>({
    severities: optional(recordOf(oneOf(severities))),
    closedLists: optional(recordOf(closedList)),
    internalEmailDomains: optional(listOf(text)),
    markets: optional(listOf(text)),
    documentRoot: optional(text),
    migrationEmails: optional((value) => typeof value === 'boolean'),
    emailLanguage: optional(text),
    retentionDays: optional(number),
  }),
)

export const importSupplierRow = (supplier: ImportSupplier): NewRow<ImportSupplierRow> => ({
  code: supplier.code,
  organisation: supplier.organisation,
  status: supplier.status,
  settings: settings.toText(supplier.settings),
})

export const importSupplierOf = (row: ImportSupplierRow): ImportSupplier => ({
  organisation: row.organisation,
  code: row.code,
  status: row.status,
  settings: { ...builtInSettings, ...settings.fromText(row.settings) },
})

/** What the revision of a supplier is, as an expression over its row; the server works it out for each staging. */
export const revisionText = "CONCAT(status, ' ', settings)"

export const foundSupplierOf = (row: ImportSupplierRow): FoundSupplier => ({
  ...importSupplierOf(row),
  revision: `${row.status} ${row.settings}`,
})

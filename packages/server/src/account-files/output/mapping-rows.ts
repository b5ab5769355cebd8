import { stringify } from 'csv-stringify/sync'

/** An account under both of its numbers. */
export type MappingRow = readonly [importSupplier: string, externalNumber: string, platformNumber: string]

const csv = (rows: readonly (readonly string[])[]): string =>
  stringify(
    rows.map((row) => [...row]),
    { record_delimiter: 'windows' },
  )

/** The names of the columns. Programs read this table, so nothing stands before them. */
export const mappingHead = (): string =>
  csv([['import_supplier', 'external_account_number', 'platform_account_number']])

/** Rows as CSV: RFC 4180, each number exactly as it is. */
export const mappingCsv = (rows: readonly MappingRow[]): string => (rows.length === 0 ? '' : csv(rows))

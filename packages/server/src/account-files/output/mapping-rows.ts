import { csvOf } from './csv.js'

/** An account under both of its numbers. */
export type MappingRow = readonly [importSupplier: string, externalNumber: string, platformNumber: string]

/** The names of the columns. Programs read this table, so nothing stands before them. */
export const mappingHead = (): string =>
  csvOf([['import_supplier', 'external_account_number', 'platform_account_number']])

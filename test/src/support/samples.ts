import { readFileSync } from 'node:fs'

const folder = new URL('../../../examples/samples/', import.meta.url)

export type JsonObject = Readonly<Record<string, unknown>>

/** A sample payload by its file name, parsed at each call. */
export const sample = (name: string): JsonObject =>
  JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as JsonObject

/** The gas sample as an account of another supplier and number. */
export const gasAccount = (importSupplier: string, externalAccountNumber: string): JsonObject => ({
  ...sample('gas-account.json'),
  import_supplier: importSupplier,
  external_account_number: externalAccountNumber,
})

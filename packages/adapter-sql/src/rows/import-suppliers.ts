import {
  builtInSettings,
  type ImportSupplier,
  type SupplierSettings,
  type SupplierStatus,
} from '@account-import/core'
import { fromJson, toJson } from './json.js'

export type ImportSupplierRow = Readonly<{
  code: string
  organisation: string
  status: SupplierStatus
  settings: string
}>

export const importSupplierRow = (supplier: ImportSupplier): ImportSupplierRow => ({
  code: supplier.code,
  organisation: supplier.organisation,
  status: supplier.status,
  settings: toJson(supplier.settings),
})

export const importSupplierOf = (row: ImportSupplierRow): ImportSupplier => ({
  organisation: row.organisation,
  code: row.code,
  status: row.status,
  // Settings that were saved before there was a certain one have its built-in value.
  settings: { ...builtInSettings, ...fromJson<Partial<SupplierSettings>>(row.settings) },
})

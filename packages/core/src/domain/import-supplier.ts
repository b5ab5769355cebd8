import type { SupplierSettings } from '../settings/supplier-settings.js'

/** The operator's setting whether accounts of a supplier may be migrated now. */
export const supplierStatuses = ['ongoing', 'paused', 'complete'] as const
export type SupplierStatus = (typeof supplierStatuses)[number]

/** The group of migrated accounts; it belongs to one organisation. */
export type ImportSupplier = Readonly<{
  organisation: string
  code: string
  status: SupplierStatus
  settings: SupplierSettings
}>

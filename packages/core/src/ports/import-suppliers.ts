import type { ImportSupplier, SupplierStatus } from '../domain/import-supplier.js'
import type { SupplierSettings } from '../settings/supplier-settings.js'
import type { PortResult } from './port-failure.js'

export type SettingsSaved = 'saved' | 'changed_meanwhile' | 'does_not_exist'

/**
 * A supplier as a read found it. `revision` is another text for another status or other settings, whatever else it is;
 * a staging can hang on it.
 */
export type FoundSupplier = ImportSupplier & Readonly<{ revision: string }>

/** The register of import suppliers. Codes are unique in the whole service and compared exactly. */
export interface ImportSuppliers {
  /** The supplier, if it belongs to the organisation; undefined for one of another organisation. */
  find(organisation: string, code: string): PortResult<FoundSupplier | undefined>
  /** For operators: the supplier, whichever organisation it belongs to. */
  findByCode(code: string): PortResult<ImportSupplier | undefined>
  create(supplier: ImportSupplier): PortResult<'created' | 'code_taken' | 'organisation_does_not_exist'>
  /** False when there is no such supplier. A change is seen by every call that starts after it. */
  setStatus(code: string, status: SupplierStatus): PortResult<boolean>
  /**
   * Replaces all settings, if they still equal `before`, whatever the order of keys. Exactly one of several concurrent changes
   * of the same settings is saved; the others have to start again from the saved settings.
   */
  saveSettings(code: string, before: SupplierSettings, after: SupplierSettings): PortResult<SettingsSaved>
  /** All, in order of code. */
  list(): PortResult<readonly ImportSupplier[]>
}

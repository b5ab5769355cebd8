import type { ImportSupplier, SupplierStatus } from '../domain/import-supplier.js'
import type { SupplierSettings } from '../settings/supplier-settings.js'
import type { Instant } from '../values/instant.js'
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

export type OperationsTeam = Readonly<{
  name: string
  /** The organisations that it is bound to, in order of code; none: all may use it. */
  organisations: readonly string[]
}>

/** Named teams that accounts are created under. Names are compared exactly. */
export interface OperationsTeams {
  create(name: string): PortResult<'created' | 'name_taken'>
  /** Whether there is such a team for the organisation: one that is bound to none, or to this one. */
  exists(name: string, organisation: string): PortResult<boolean>
  /** Binds a team to an organisation, besides those that it is bound to. One that is bound to it already stays so. */
  bind(
    name: string,
    organisation: string,
  ): PortResult<'bound' | 'team_does_not_exist' | 'organisation_does_not_exist'>
  /** False when the team is not bound to the organisation. */
  unbind(name: string, organisation: string): PortResult<boolean>
  /** All, in order of name by Unicode code point. */
  list(): PortResult<readonly OperationsTeam[]>
}

/** A client of the service; owns API keys and import suppliers. */
export type Organisation = Readonly<{
  code: string
  name: string
  createdAt: Instant
  /** Since when none of its keys and tokens works; undefined for one that is enabled. */
  disabledAt: Instant | undefined
}>

export interface Organisations {
  create(organisation: Organisation): PortResult<'created' | 'code_taken'>
  find(code: string): PortResult<Organisation | undefined>
  /** False when there is no such organisation. One that is disabled already keeps its first time. */
  disable(code: string, at: Instant): PortResult<boolean>
  /** False when there is no such organisation. */
  enable(code: string): PortResult<boolean>
  /** All, in order of code. */
  list(): PortResult<readonly Organisation[]>
}

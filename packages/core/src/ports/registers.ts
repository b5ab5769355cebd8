import type { ImportSupplier, SupplierStatus } from '../domain/import-supplier.js'
import type { SupplierSettings } from '../settings/supplier-settings.js'
import type { Instant } from '../values/instant.js'
import type { PortResult } from './port-failure.js'

/** A supplier that was read. `revision` is a short opaque text that differs for other settings of the same supplier. */
export type FoundSupplier = ImportSupplier & Readonly<{ revision: string }>

/** The register of import suppliers. Codes are unique in the whole service and compared exactly. */
export interface ImportSuppliers {
  /** The supplier, if it belongs to the organisation; undefined for one of another organisation. */
  find(organisation: string, code: string): PortResult<FoundSupplier | undefined>
  /**
   * As `find`, without asking the database: the supplier as it was read within the last second; undefined if it was not. Only for a
   * change that names its revision (`Staging`, `Creation`), so that the store finds whether it is current. Absent where `find` costs
   * nothing.
   */
  recent?(organisation: string, code: string): PortResult<FoundSupplier | undefined>
  /** For operators: the supplier of any organisation. */
  findByCode(code: string): PortResult<ImportSupplier | undefined>
  create(supplier: ImportSupplier): PortResult<'created' | 'code_taken' | 'organisation_does_not_exist'>
  /** False when there is no such supplier. Every call that starts after a change sees it. */
  setStatus(code: string, status: SupplierStatus): PortResult<boolean>
  /**
   * Replaces all settings, if they still equal `before`, in any order of keys. Exactly one of several concurrent changes of the
   * same settings is saved; the others have to start again from the saved settings.
   */
  saveSettings(
    code: string,
    before: SupplierSettings,
    after: SupplierSettings,
  ): PortResult<'saved' | 'changed_meanwhile' | 'does_not_exist'>
  /** Those of the organisation, in order of code. */
  list(organisation: string): PortResult<readonly ImportSupplier[]>
  /** For operators and background work: those of all organisations, in order of code. */
  listAll(): PortResult<readonly ImportSupplier[]>
}

export type OperationsTeam = Readonly<{
  name: string
  /** The organisations that it is bound to, in order of code; if empty, all may use it. */
  organisations: readonly string[]
}>

/** Named teams that accounts are created under. Names are compared exactly. */
export interface OperationsTeams {
  create(name: string): PortResult<'created' | 'name_taken'>
  /** Whether the organisation may use such a team: it is bound to no organisation, or to this one. */
  exists(name: string, organisation: string): PortResult<boolean>
  /** As `exists`, if that was true within the last second; false otherwise. As `ImportSuppliers.recent`, for creations. */
  recent?(name: string, organisation: string): PortResult<boolean>
  /** Binds a team to one more organisation; `bound` also if it is bound to it already. */
  bind(
    name: string,
    organisation: string,
  ): PortResult<'bound' | 'team_does_not_exist' | 'organisation_does_not_exist'>
  /** False when the team is not bound to the organisation. */
  unbind(name: string, organisation: string): PortResult<boolean>
  /** Those that the organisation may use, in order of name by Unicode code point. */
  list(organisation: string): PortResult<readonly OperationsTeam[]>
  /** For operators: all, in the same order. */
  listAll(): PortResult<readonly OperationsTeam[]>
}

/** A tenant of the service; owns API keys and import suppliers. */
export type Organisation = Readonly<{
  code: string
  name: string
  createdAt: Instant
  /** The time since which all its keys and tokens are refused; undefined while it is enabled. */
  disabledAt: Instant | undefined
}>

export interface Organisations {
  create(organisation: Organisation): PortResult<'created' | 'code_taken'>
  find(code: string): PortResult<Organisation | undefined>
  /** False when there is no such organisation. An organisation that is disabled already keeps its earlier time. */
  disable(code: string, at: Instant): PortResult<boolean>
  /** False when there is no such organisation. */
  enable(code: string): PortResult<boolean>
  /** All, in order of code. */
  list(): PortResult<readonly Organisation[]>
}

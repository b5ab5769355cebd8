import { markets, type Market } from '../rules/markets/markets.js'

/** The operator's word on whether accounts of a supplier may be migrated now. */
export const supplierStatuses = ['ongoing', 'paused', 'complete'] as const
export type SupplierStatus = (typeof supplierStatuses)[number]

/** What a rule that may be changed does for a supplier. */
export const severities = ['error', 'warn', 'off'] as const
export type Severity = (typeof severities)[number]

/** A list that the operator closed for a supplier: any other value gets `not_in_supplier_list`. */
export type ClosedList = Readonly<{ members: readonly string[]; severity: 'error' | 'warn' }>

/** Settings that the validation rules read. */
export type RuleSettings = Readonly<{
  severities: Readonly<Record<string, Severity>>
  closedLists: Readonly<Record<string, ClosedList>>
  internalEmailDomains: readonly string[]
  /** Markets whose rules hold besides the common ones; empty: only those. */
  markets: readonly Market[]
}>

/** Everything an operator configures for a supplier. */
export type SupplierSettings = RuleSettings &
  Readonly<{
    /** Prefix of every document path of the supplier, inside the bucket; empty for the bucket itself. */
    documentRoot: string
    /** Whether customers get an e-mail when their account has been created. */
    migrationEmails: boolean
    /** ISO 639 code of the language of these e-mails, such as `ca`; absent: by the country of the account. */
    emailLanguage?: string
    /** Days that staged data is kept after its account was created; absent: for ever. */
    retentionDays?: number
  }>

/** The group that migrated accounts belong to; belongs to one organisation. */
export type ImportSupplier = Readonly<{
  organisation: string
  code: string
  status: SupplierStatus
  settings: SupplierSettings
}>

export const builtInSettings: SupplierSettings = {
  severities: {},
  closedLists: {},
  internalEmailDomains: [],
  markets,
  documentRoot: '',
  migrationEmails: false,
}

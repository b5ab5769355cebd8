import type { Severity } from './severity.js'

/** A list that the operator closed for a supplier: any other value gets `not_in_supplier_list`. */
export type ClosedList = Readonly<{ members: readonly string[]; severity: 'error' | 'warn' }>

/** Settings that the validation rules read. */
export type RuleSettings = Readonly<{
  severities: Readonly<Record<string, Severity>>
  closedLists: Readonly<Record<string, ClosedList>>
  internalEmailDomains: readonly string[]
  /** Markets whose rules hold besides the common ones, as their packs name them; empty: only those. */
  markets: readonly string[]
}>

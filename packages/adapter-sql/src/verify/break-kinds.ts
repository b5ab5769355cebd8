import { tables } from '../sql/rows.js'

/**
 * Every kind of break that `verify` reports, and its table; a missing key may be of any table. docs/reference/inconsistencies.md
 * lists the kinds in this order, each with its meaning and the action of an operator.
 */
export const breakKinds = {
  import_state_wrong: tables.accountImports,
  several_imports: tables.accountImports,
  staged_data_missing: tables.accountImports,
  staged_data_unexpected: tables.accountImports,
  staged_data_unreadable: tables.accountImports,
  staged_data_differs: tables.accountImports,
  staged_data_of_another: tables.accountImports,
  judgement_unexpected: tables.accountImports,
  claim_incomplete: tables.accountImports,
  claim_misplaced: tables.accountImports,
  claim_never_ends: tables.accountImports,
  claim_abandoned: tables.accountImports,
  failure_incomplete: tables.accountImports,
  creation_incomplete: tables.accountImports,
  creation_differs: tables.accountImports,
  format_unknown: tables.accountImports,
  remains_unexpected: tables.accountImports,
  remains_missing: tables.accountImports,
  remains_unreadable: tables.accountImports,
  additions_differ: tables.accountImports,
  email_without_account: tables.customerEmails,
  email_number_differs: tables.customerEmails,
  email_state_wrong: tables.customerEmails,
  item_unexpected: tables.accountItems,
  item_repeated: tables.accountItems,
  item_unreadable: tables.accountItems,
  identity_differs: tables.accountItems,
  copies_wrong: tables.accountItems,
  ordinal_gap: tables.accountItems,
  ordinal_twice: tables.accountItems,
  item_without_account: tables.accountItems,
  supplier_unknown: tables.importSuppliers,
  organisation_unknown: tables.organisations,
  team_unknown: tables.accountImports,
  run_unknown: tables.accountImports,
  unique_key_missing: undefined,
  platform_number_twice: tables.accountImports,
  slot_never_ends: tables.processingSlots,
} as const satisfies Readonly<Record<string, string | undefined>>

/** Stable, for programs. */
export type BreakKind = keyof typeof breakKinds

/** A contradiction in the database. Names its place, and never contains a value of a payload. */
export type Break = Readonly<{
  kind: BreakKind
  /** Absent for a break of the whole database. */
  organisation?: string
  importSupplier?: string
  externalAccountNumber?: string
  platformAccountNumber?: string | undefined
  table?: string | undefined
  /** The columns, or the kinds of items that differ; or the columns of the missing key. */
  columns?: readonly string[]
  /** The number of affected rows of the table. */
  rows?: number
}>

export const breakOf = (kind: BreakKind, about: Omit<Break, 'kind'>): Break => ({
  kind,
  table: breakKinds[kind],
  ...about,
})

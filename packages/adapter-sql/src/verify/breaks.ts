import type { Owner } from '../sql/owners.js'
import type { PoolSession } from '../sql/session.js'

/**
 * Every kind of break that `verify` reports. docs/reference/inconsistencies.md lists the kinds in this order, each with its
 * meaning and the action of an operator.
 */
export const breakKinds = [
  'index_missing',
  'reference_missing',
  'columns_contradict',
  'payload_differs',
  'addition_differs',
  'count_differs',
  'chain_broken',
  'audit_key_missing',
] as const

/** Stable, for programs. */
export type BreakKind = (typeof breakKinds)[number]

/** A contradiction in the database. Names its place, and never contains a value of a payload. */
export type Break = Readonly<{
  kind: BreakKind
  table: string
  /** The columns that differ, or those of the missing index; for `addition_differs` the kinds of additions. */
  columns: readonly string[]
  /** Absent for a missing index. */
  organisation?: string
  importSupplier?: string
  externalAccountNumber?: string
  platformAccountNumber?: string | undefined
  importRun?: string
}>

/** A break of the supplier whose rows are checked. */
export type Finding = Omit<Break, 'organisation' | 'importSupplier'>

/** The kinds of data that `onVerified` counts. */
export type Counted = 'suppliers' | 'imports' | 'accounts' | 'emails' | 'rows'

/** Called with the number of checked rows of a kind, for counts and progress. */
export type OnVerified = (what: Counted, many: number) => void

/** The rows of a supplier, to be checked. */
export type Walk = Readonly<{ session: PoolSession; owner: Owner; onVerified: OnVerified }>

import { emailBreakKinds } from './email-break-kinds.js'
import { importBreakKinds } from './import-break-kinds.js'
import { rowBreakKinds } from './row-break-kinds.js'
import { schemaBreakKinds } from './schema-break-kinds.js'

/** Everything that `verify` can find, in the order of the reference: what it means and what an operator does about it. */
export const breakKinds = {
  ...importBreakKinds,
  ...emailBreakKinds,
  ...rowBreakKinds,
  ...schemaBreakKinds,
}

/** Stable, for programs. */
export type BreakKind = keyof typeof breakKinds

/** Two things in the database that do not agree. Names where, and never holds a value of a payload. */
export type Break = Readonly<{
  kind: BreakKind
  /** Absent where it is about the whole database. */
  organisation?: string
  importSupplier?: string
  externalAccountNumber?: string | undefined
  platformAccountNumber?: string | undefined
  table?: string
  /** The columns that differ, or those of the missing key. */
  columns?: readonly string[]
  /** How many rows of the table it is about. */
  rows?: number
}>

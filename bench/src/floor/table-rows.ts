import type { SqlValue } from './database.js'

/** What every row of an account begins with. */
export const keyColumns = ['organisation', 'import_supplier', 'platform_account_number']

/** The rows of one table, each value in the order of the columns. */
export type TableRows = Readonly<{
  table: string
  columns: readonly string[]
  rows: readonly (readonly SqlValue[])[]
}>

/** What an account gets beside its payload. */
export type Created = Readonly<{
  organisation: string
  platformAccountNumber: string
  operationsTeam: string
  stagedVersion: number
  /** As a DATETIME(3) column takes it. */
  now: string
}>

/** A list of the payload as rows: the account's key, the place in the list, and the columns named here. */
export type ListTable = <Entry>(
  table: string,
  columns: readonly string[],
  entries: readonly Entry[] | undefined,
  values: (entry: Entry, ordinal: number) => readonly SqlValue[],
) => TableRows

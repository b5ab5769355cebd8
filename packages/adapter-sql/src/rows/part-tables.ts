import { tables } from './tables.js'

/** A table that holds a part of accounts. */
export type PartTable = Readonly<{
  table: string
  /** What its primary key has after that of the account; the last one counts the places of a list. */
  ordinals: readonly string[]
  /** The table before it whose row each of its rows belongs to, by these columns. */
  parent?: Readonly<{ table: string; by: readonly string[] }>
}>

/** In an order in which parents come before what belongs to them. */
export const partTables: readonly PartTable[] = [
  { table: tables.customers, ordinals: ['ordinal'] },
  { table: tables.supplyAddresses, ordinals: ['ordinal'] },
  {
    table: tables.supplyPoints,
    ordinals: ['address_ordinal', 'ordinal'],
    parent: { table: tables.supplyAddresses, by: ['address_ordinal'] },
  },
  {
    table: tables.agreements,
    ordinals: ['address_ordinal', 'point_ordinal', 'ordinal'],
    parent: { table: tables.supplyPoints, by: ['address_ordinal', 'point_ordinal'] },
  },
  { table: tables.ledgers, ordinals: ['ordinal'] },
  {
    table: tables.transactions,
    ordinals: ['ledger_ordinal', 'period', 'ordinal'],
    parent: { table: tables.ledgers, by: ['ledger_ordinal'] },
  },
  { table: tables.statements, ordinals: ['ordinal'] },
  { table: tables.notes, ordinals: ['ordinal'] },
  { table: tables.paymentSchedules, ordinals: ['ordinal'] },
  { table: tables.paymentInstructions, ordinals: ['ordinal'] },
  { table: tables.accountReferences, ordinals: ['ordinal'] },
  { table: tables.accountMetadata, ordinals: ['ordinal'] },
]

/** What the rows of those tables hide, where they are encrypted. */
export const encryptedDetailsTable: PartTable = { table: tables.encryptedDetails, ordinals: ['ordinal'] }

/** The values of columns as one text, to find a row by. */
export const placeOf = (row: Readonly<Record<string, unknown>>, columns: readonly string[]): string =>
  columns.map((column) => String(row[column])).join('/')

import type { Table } from './tables.js'

/**
 * A column of a table, or of one of its keys, as `SqlDialect.tablesText` reads it. `key_name` is NULL for a column of the table, and
 * `PRIMARY` for the primary key; `flag` is 1 for a column that is not NULL, and for a unique key. It is NULL for keys of a table that is a
 * view of others, on other servers: only those know which are unique.
 */
export type DescribedColumn = Readonly<{
  table_name: string
  key_name: string | null
  column_name: string
  type: string | null
  flag: number | string | null
}>

/** The first difference of a database from the tables of this build. `isOfKeys`: all columns are there. */
export type TableDifference = Readonly<{ text: string; isOfKeys: boolean }>

/** Databases write a type in their own way: without the width of a number, or with it. */
const plainType = (type: string): string =>
  type
    .toLowerCase()
    .replace(/^boolean$/, 'tinyint')
    .replace(/^((?:tiny|big)?int)\(\d+\)$/, '$1')

const columnsOf = ({ columns }: Table) =>
  columns.split(/,(?![^(]*\))/).map((text) => {
    const [name = '', ...others] = text.trim().split(/\s+/)
    const type = others.join(' ')
    return { name, type: plainType(type.replace(' NOT NULL', '')), flag: type.includes(' NOT NULL') ? 1 : 0 }
  })

/** The keys and indexes of a table, by their names; whether each is unique, and its columns. */
const keysOf = ({ primary, unique = {}, indexes = {} }: Table) => [
  ...Object.entries({ PRIMARY: primary, ...unique }).map(([name, columns]) => ({ name, columns, flag: 1 })),
  ...Object.entries(indexes).map(([name, columns]) => ({ name, columns, flag: 0 })),
]

/** A key or an index that is missing, or that has other columns. */
export type KeyDifference = Readonly<{ table: string; columns: readonly string[]; text: string }>

export type Wanted = Readonly<{
  tables: readonly Table[]
  isLater: boolean
  there: readonly DescribedColumn[]
}>

function* columnDifferences({ tables, isLater, there }: Wanted): Generator<string> {
  for (const table of tables)
    for (const { name, type, flag } of columnsOf(table)) {
      const found = there.find(
        (each) => each.table_name === table.name && each.key_name === null && each.column_name === name,
      )
      const column = `the column ${name} of the table ${table.name}`
      if (found === undefined) yield `${column} is missing`
      else if (isLater) continue
      else if (plainType(found.type ?? '') !== type) yield `${column} is ${found.type}, not ${type}`
      else if (Number(found.flag) !== flag) yield `${column} ${flag === 1 ? 'takes' : 'refuses'} NULL`
    }
}

export function* keyDifferences({ tables, isLater, there }: Wanted): Generator<KeyDifference> {
  for (const table of tables)
    for (const { name, columns, flag } of keysOf(table)) {
      const found = there.filter((each) => each.table_name === table.name && each.key_name === name)
      const present = found.map(({ column_name }) => column_name).join(', ')
      const differs = (text: string): KeyDifference => ({
        table: table.name,
        columns: columns.split(', '),
        text: `the key ${name} of the table ${table.name} ${text}`,
      })
      if (present === '') yield differs('is missing')
      else if (isLater) continue
      else if (present !== columns) yield differs(`has the columns ${present}, not ${columns}`)
      else if (found[0]?.flag !== null && Number(found[0]?.flag) !== flag)
        yield differs(`is ${flag === 1 ? 'not ' : ''}unique`)
    }
}

/**
 * The first difference; undefined where there is none. Columns, keys and tables that the database has in addition are none: an
 * operator or a later version may have added them. A later version (`isLater`) may also have changed a column or a key.
 */
export const firstDifference = (wanted: Wanted): TableDifference | undefined => {
  for (const text of columnDifferences(wanted)) return { text, isOfKeys: false }
  for (const { text } of keyDifferences(wanted)) return { text, isOfKeys: true }
  return undefined
}

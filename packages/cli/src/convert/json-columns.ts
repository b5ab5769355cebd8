import type { DuckDBListType, DuckDBStructType, DuckDBType } from '@duckdb/node-api'
import { quoted, text } from './database.js'

/** A column of a query. */
export type Column = Readonly<{ name: string; type: DuckDBType }>

/** Numbers of DuckDB for the types that contain others by position. */
const typeIds = { list: 24, struct: 25 } as const

const isStruct = (type: DuckDBType): type is DuckDBStructType => Number(type.typeId) === typeIds.struct

/** Whether values of the type are lists. */
export const isList = (type: DuckDBType): type is DuckDBListType => Number(type.typeId) === typeIds.list

/** The JSON of a struct with these members, without those that are null. */
const objectOf = (
  members: readonly (readonly [name: string, value: string, type: DuckDBType])[],
  depth: number,
): string =>
  members.length === 0
    ? "'{}'"
    : `'{' || concat_ws(',', ${members
        .map(([name, value, type]) => `${text(`${JSON.stringify(name)}:`)} || ${jsonOf(value, type, depth)}`)
        .join(', ')}) || '}'`

/**
 * An SQL expression with the JSON text of a value, built from its type: a member that is null is absent, an item that is null is
 * `null`, and no text is searched for marks of JSON. Null for a value that is null.
 */
const jsonOf = (value: string, type: DuckDBType, depth: number): string => {
  if (isStruct(type) && type.entryNames.every((name) => name !== '')) {
    const members = type.entryNames.map(
      (name, at) => [name, `${value}.${quoted(name)}`, type.entryTypes[at] as DuckDBType] as const,
    )
    return `CASE WHEN ${value} IS NOT NULL THEN ${objectOf(members, depth)} END`
  }
  if (isList(type) && (isStruct(type.valueType) || isList(type.valueType))) {
    const item = `item_${depth}`
    const items = `list_transform(${value}, lambda ${item}: coalesce(${jsonOf(item, type.valueType, depth + 1)}, 'null'))`
    return `'[' || array_to_string(${items}, ',') || ']'`
  }
  return `to_json(${value})::VARCHAR`
}

/** An SQL expression with the JSON object of columns of `q`. */
export const jsonObject = (columns: readonly Column[]): string =>
  objectOf(
    columns.map(({ name, type }) => [name, `q.${quoted(name)}`, type]),
    0,
  )

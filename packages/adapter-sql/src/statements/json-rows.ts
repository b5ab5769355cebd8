import type { SqlDialect } from '../connect/dialect-of.js'
import { toJson } from '../rows/json.js'
import type { SqlValue } from '../rows/row.js'

/**
 * Rows that go to the database as one JSON text: however many there are, it is one statement with one value, which
 * every server has prepared already.
 */
type JsonRows = Readonly<{
  /** A table expression `sent` over a JSON array of texts, each its `value`; joined to what follows it, in this order. */
  textsJoin: string
  /** A table expression `sent` over a JSON array of arrays with a value for each column, and the columns of it. */
  from(columns: readonly string[]): string
  column(name: string, place: number): string
  /** The value that becomes NULL. */
  absent: readonly never[] | null
}>

/** A length that no identifier has, so that none is cut to fit. */
const textLength = 256

/**
 * Values come as long texts, and become what their columns are when they are stored: then nothing is cut silently. That
 * a list stands in place of a text is an error, which gives NULL; what a JSON null gives is not told by both servers.
 */
const mysql: JsonRows = {
  textsJoin:
    `JSON_TABLE(?, '$[*]' COLUMNS (value VARCHAR(${textLength}) CHARACTER SET utf8mb4 PATH '$' ERROR ON ERROR)) ` +
    'AS sent STRAIGHT_JOIN',
  from: (columns) =>
    `JSON_TABLE(?, '$[*]' COLUMNS (${columns
      .map((name, place) => `${name} LONGTEXT CHARACTER SET utf8mb4 PATH '$[${place}]' NULL ON ERROR`)
      .join(', ')})) AS sent`,
  column: (name) => `sent.${name}`,
  absent: [],
}

const sqlite: JsonRows = {
  textsJoin: 'json_each(?) AS sent CROSS JOIN',
  from: () => 'json_each(?) AS sent',
  column: (_, place) => `json_extract(sent.value, '$[${place}]')`,
  absent: null,
}

export const jsonRows: Readonly<Record<SqlDialect, JsonRows>> = { mysql, sqlite }

/** A row as `from` takes it: a value for each column. Booleans are not to be among them. */
export const jsonRow = (
  dialect: SqlDialect,
  columns: readonly string[],
  row: Readonly<Record<string, SqlValue>>,
): string => {
  const { absent } = jsonRows[dialect]
  return toJson(columns.map((name) => row[name] ?? absent))
}

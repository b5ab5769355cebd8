import type { Knex } from 'knex'
import type { SchemaDialect } from './schema-dialect.js'

/** A note by its place in an account of a supplier, and what it is to be known by. */
export type IdentifiedNote = Readonly<{
  number: string
  ordinal: number
  digest: string
  time: string | null
}>

type Update = Readonly<{
  /** Bindings: the notes as one JSON text, organisation, supplier. */
  sql: string
  /** What stands in the JSON for no time. MySQL and MariaDB both make NULL of a list, which is an error there. */
  noTime: readonly never[] | null
}>

/** No other database had accounts when this step was released. */
const updates: Readonly<Record<string, Update>> = {
  mysql: {
    sql:
      "UPDATE JSON_TABLE(?, '$[*]' COLUMNS (number VARCHAR(32) CHARACTER SET utf8mb4 PATH '$[0]', " +
      "place INT PATH '$[1]', digest VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[2]', " +
      "time VARCHAR(20) CHARACTER SET utf8mb4 PATH '$[3]' NULL ON ERROR)) AS sent " +
      'STRAIGHT_JOIN notes AS n ON n.organisation = ? AND n.import_supplier = ? ' +
      'AND n.platform_account_number = sent.number AND n.ordinal = sent.place ' +
      'SET n.content_digest = sent.digest, n.identity_time = sent.time',
    noTime: [],
  },
  sqlite: {
    sql:
      "UPDATE notes AS n SET content_digest = json_extract(sent.value, '$[2]'), " +
      "identity_time = json_extract(sent.value, '$[3]') FROM json_each(?) AS sent " +
      'WHERE n.organisation = ? AND n.import_supplier = ? ' +
      "AND n.platform_account_number = json_extract(sent.value, '$[0]') " +
      "AND n.ordinal = json_extract(sent.value, '$[1]')",
    noTime: null,
  },
}

/** Far below the packets that MySQL takes (16 MiB by default); a character is three bytes at most, a pair four. */
const mostCharacters = Math.floor((4 * 1024 * 1024) / 3)

const pieces = (texts: readonly string[]): readonly (readonly string[])[] => {
  const found: string[][] = []
  let characters = 0
  for (const text of texts) {
    characters += text.length
    if (found.length > 0 && characters <= mostCharacters) found.at(-1)?.push(text)
    else {
      found.push([text])
      characters = text.length
    }
  }
  return found
}

/** Writes the identities of a supplier's notes, in one statement for every few MiB. */
export const writeNoteIdentities = async (
  trx: Knex,
  { name }: SchemaDialect,
  supplier: Readonly<{ organisation: string; import_supplier: string }>,
  notes: readonly IdentifiedNote[],
): Promise<void> => {
  const update = updates[name]
  if (update === undefined) throw new Error(`Notes from before the fourth migration cannot be on ${name}`)
  const texts = notes.map(({ number, ordinal, digest, time }) =>
    JSON.stringify([number, ordinal, digest, time ?? update.noTime]),
  )
  for (const piece of pieces(texts))
    await trx.raw(update.sql, [`[${piece.join(',')}]`, supplier.organisation, supplier.import_supplier])
}

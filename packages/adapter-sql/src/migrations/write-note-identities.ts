import type { Knex } from 'knex'
import { dialectOf, type SqlDialect } from '../connect/dialect-of.js'
import { toJson } from '../rows/json.js'
import type { NoteIdentity } from '../rows/note-identity.js'
import { chunks, maxStatementBytes } from '../statements/chunks.js'
import { tables } from '../tables.js'

/** A note by its place in an account of a supplier, and what it is to be known by. */
export type IdentifiedNote = Readonly<{ number: string; ordinal: number; identity: NoteIdentity }>

/** Bindings: the notes as one JSON text, organisation, supplier. Absent times: see `jsonRows`. */
const updates: Readonly<Record<SqlDialect, string>> = {
  mysql:
    "UPDATE JSON_TABLE(?, '$[*]' COLUMNS (number VARCHAR(32) CHARACTER SET utf8mb4 PATH '$[0]', " +
    "place INT PATH '$[1]', digest VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[2]', " +
    "time VARCHAR(20) CHARACTER SET utf8mb4 PATH '$[3]' NULL ON ERROR)) AS sent " +
    `STRAIGHT_JOIN ${tables.notes} AS n ON n.organisation = ? AND n.import_supplier = ? ` +
    'AND n.platform_account_number = sent.number AND n.ordinal = sent.place ' +
    'SET n.content_digest = sent.digest, n.identity_time = sent.time',
  sqlite:
    `UPDATE ${tables.notes} AS n SET content_digest = json_extract(sent.value, '$[2]'), ` +
    "identity_time = json_extract(sent.value, '$[3]') FROM json_each(?) AS sent " +
    'WHERE n.organisation = ? AND n.import_supplier = ? ' +
    "AND n.platform_account_number = json_extract(sent.value, '$[0]') " +
    "AND n.ordinal = json_extract(sent.value, '$[1]')",
}

const absentTime: Readonly<Record<SqlDialect, readonly never[] | null>> = { mysql: [], sqlite: null }

/** Writes the identities of a supplier's notes, in one statement for every few MiB. */
export const writeNoteIdentities = async (
  trx: Knex,
  supplier: Readonly<{ organisation: string; import_supplier: string }>,
  notes: readonly IdentifiedNote[],
): Promise<void> => {
  const dialect = dialectOf(trx)
  const texts = notes.map(({ number, ordinal, identity }) =>
    toJson([number, ordinal, identity.content_digest, identity.identity_time ?? absentTime[dialect]]),
  )
  const pieces = chunks(texts, {
    maxItems: texts.length,
    maxBytes: maxStatementBytes,
    bytesOf: (text) => text.length * 3,
  })
  for (const piece of pieces)
    await trx.raw(updates[dialect], [`[${piece.join(',')}]`, supplier.organisation, supplier.import_supplier])
}

import { noteContent, type Instant, type KnownNotes, type LockedAccount } from '@account-import/core'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { accountRowKey } from '../rows/account-row-key.js'
import { fromSqlInstant } from '../rows/instants.js'
import { toJson } from '../rows/json.js'
import { contentDigest } from '../rows/note-identity.js'
import { noteOf, type NoteRow } from '../rows/notes.js'
import { selectRows } from '../statements/select-rows.js'
import type { Statements } from '../session/statements.js'
import { tables } from '../rows/tables.js'

/** Whole where there is no digest: a server of an earlier version has written it while this one was being brought up. */
type Found = NoteRow & Readonly<{ content_digest: string | null }>

const ofAccount = (table: string): string =>
  `${table}.organisation = ? AND ${table}.import_supplier = ? AND ${table}.platform_account_number = ?`

const foundText = (dialect: SqlDialect): string =>
  'SELECT t.content_digest, t.ordinal, NULL AS body, NULL AS document_paths, t.created_at, t.is_pinned, t.unpin_at ' +
  `FROM ${dialect.jsonRows.textsJoin} ${tables.notes} AS t ` +
  `ON ${ofAccount('t')} AND t.content_digest = sent.value ` +
  'UNION ALL ' +
  'SELECT n.content_digest, n.ordinal, n.body, n.document_paths, n.created_at, n.is_pinned, n.unpin_at ' +
  `FROM ${tables.notes} AS n WHERE ${ofAccount('n')} AND n.content_digest IS NULL`

const digestOf = (row: Found): string => row.content_digest ?? contentDigest(noteContent(noteOf(row)))

/** When the account's notes with each of the contents were created, in one statement, however many there are. */
export const notesWithContents = async (
  db: Statements,
  dialect: SqlDialect,
  account: LockedAccount,
  contents: readonly string[],
): Promise<KnownNotes> => {
  if (contents.length === 0) return new Map()
  const { organisation, import_supplier, platform_account_number } = accountRowKey(account)
  const key = [organisation, import_supplier, platform_account_number]
  const byDigest = new Map(contents.map((content) => [contentDigest(content), content]))
  const digests = toJson([...byDigest.keys()])
  const found = await selectRows<Found>(db, foundText(dialect), [digests, ...key, ...key])
  const known = new Map<string, Instant[]>()
  for (const row of found) {
    const content = byDigest.get(digestOf(row))
    if (content === undefined) continue
    const instants = known.get(content) ?? []
    instants.push(fromSqlInstant(row.created_at))
    known.set(content, instants)
  }
  return known
}

import type { Instant, KnownNotes, LockedAccount } from '@account-import/core'
import { noteContent } from '@account-import/core/adapter-kit'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { fromSqlInstant } from '../rows/instants.js'
import { asKept } from '../rows/hidden-values.js'
import { contentDigest } from '../rows/note-identity.js'
import { noteOf, type NoteColumns } from '../rows/notes.js'
import { accountDataKey } from '../statements/account-data-key.js'
import { accountKeyValues, ofAccount } from '../statements/account-key.js'
import { selectRows } from '../statements/select-rows.js'
import type { Session } from '../session/session.js'
import type { Statements } from '../session/statements.js'
import { tables } from '../rows/tables.js'

/**
 * A note without a digest comes with its body and documents, to be compared by these: servers of the version before
 * write such notes as long as they run beside this one.
 */
type Found = NoteColumns & Readonly<{ content_digest: string | null }>

const foundText = (dialect: SqlDialect): string =>
  'SELECT t.content_digest, t.ordinal, NULL AS body, NULL AS document_paths, t.created_at, t.is_pinned, t.unpin_at ' +
  `FROM ${dialect.jsonRows.textsJoin} ${dialect.foundBy(`${tables.notes} AS t`, 'notes_by_content')} ` +
  `ON ${ofAccount('t')} AND t.content_digest = sent.value ` +
  'UNION ALL ' +
  'SELECT n.content_digest, n.ordinal, n.body, n.document_paths, n.created_at, n.is_pinned, n.unpin_at ' +
  `FROM ${tables.notes} AS n WHERE ${ofAccount('n')} AND n.content_digest IS NULL`

const digestOf = (row: Found): string => row.content_digest ?? contentDigest(noteContent(noteOf(row)))

/** When the account's notes with each of the contents were created, in one statement, however many there are. */
export const notesWithContents = async (
  db: Statements,
  { dialect, dataKeys }: Session,
  account: LockedAccount,
  contents: readonly string[],
): Promise<KnownNotes> => {
  if (contents.length === 0) return new Map()
  const key = accountKeyValues(account)
  const dataKey = await accountDataKey(db, dataKeys, account)
  const byDigest = new Map(
    contents.flatMap((content) =>
      asKept(dataKey, tables.notes, 'content_digest', contentDigest(content)).map(
        (digest) => [digest, content] as const,
      ),
    ),
  )
  const digests = JSON.stringify([...byDigest.keys()])
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

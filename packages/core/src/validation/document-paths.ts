import { FAILED, Findings, payloadLocation, type PathKey, plainContext, type Reader } from '../codec/index.js'
import { isJsonObject, ownField } from '../codec/struct.js'
import { accountPayload } from '../payloads/account.js'
import { isRead, itemsOf, type Readable, type ReadList } from '../rules/rule.js'

/** A document path of a payload, and the keys that lead to its field. */
export type LocatedPath = Readonly<{ at: readonly PathKey[]; path: string }>

/** Reads one list of a payload, even if the rest of the payload is wrong. */
const readList = <A>(payload: unknown, name: string, codec: Reader<readonly A[]>): ReadList<Readable<A>> => {
  if (!isJsonObject(payload)) return FAILED
  const read = codec.read(ownField(payload, name), payloadLocation(), new Findings(plainContext))
  return read as ReadList<Readable<A>>
}

/** The document paths of the payload's statements that can be read; `codec` reads the list of statements. */
export const statementDocumentPaths = (
  payload: unknown,
  codec: Reader<readonly Readonly<{ statement_path?: string | undefined }>[]>,
): readonly LocatedPath[] =>
  itemsOf(readList(payload, 'statements', codec)).flatMap((statement, index) =>
    statement !== FAILED && isRead(statement.statement_path)
      ? [{ at: ['statements', index, 'statement_path'], path: statement.statement_path }]
      : [],
  )

/** The document paths of the payload's notes that can be read. */
export const noteDocumentPaths = (payload: unknown): readonly LocatedPath[] =>
  itemsOf(readList(payload, 'notes', accountPayload.fields.notes.codec)).flatMap((note, index) =>
    note === FAILED
      ? []
      : itemsOf(note.document_paths).flatMap((reference, referenceIndex) =>
          reference !== FAILED && isRead(reference.document_path)
            ? [
                {
                  at: ['notes', index, 'document_paths', referenceIndex, 'document_path'],
                  path: reference.document_path,
                },
              ]
            : [],
        ),
  )

/** Every document path of an account payload that can be read, even if other fields cannot. */
export const accountDocumentPaths = (payload: unknown): readonly LocatedPath[] => [
  ...noteDocumentPaths(payload),
  ...statementDocumentPaths(payload, accountPayload.fields.statements.codec),
]

/**
 * The document paths that a staged payload names, each once. `payload` is its JSON text; throws a `SyntaxError` for any other
 * text.
 */
export const payloadDocumentPaths = (payload: string): readonly string[] => [
  ...new Set(accountDocumentPaths(JSON.parse(payload)).map(({ path }) => path)),
]

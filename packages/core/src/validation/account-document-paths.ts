import { plainContext } from '../codec/check-context.js'
import { FAILED, Findings, payloadLocation, type Failed } from '../codec/index.js'
import { isJsonObject, ownField } from '../codec/json-object.js'
import type { PathKey } from '../codec/path.js'
import { accountPayload, type AccountPayload } from '../payloads/account.js'
import { isRead, itemsOf, type Readable } from '../rules/readable.js'

/** A document path of a payload, and the keys of the field that holds it. */
export type PlacedPath = Readonly<{ at: readonly PathKey[]; path: string }>

type Holders = Pick<AccountPayload, 'statements' | 'notes'>

/** A part of the payload, whatever is wrong with the rest of it. */
const readPart = <Name extends keyof Holders>(
  payload: unknown,
  name: Name,
): Readable<Holders>[Name] | Failed => {
  if (!isJsonObject(payload)) return FAILED
  const { codec } = accountPayload.fields[name]
  const read = codec.read(ownField(payload, name), payloadLocation(), new Findings(plainContext))
  return read as Readable<Holders>[Name]
}

const ofStatements = (payload: unknown): readonly PlacedPath[] =>
  itemsOf(readPart(payload, 'statements')).flatMap((statement, index) =>
    statement !== FAILED && isRead(statement.statement_path)
      ? [{ at: ['statements', index, 'statement_path'], path: statement.statement_path }]
      : [],
  )

const ofNotes = (payload: unknown): readonly PlacedPath[] =>
  itemsOf(readPart(payload, 'notes')).flatMap((note, index) =>
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

/** Every document path of an account payload that can be read, also where other fields cannot. */
export const accountDocumentPaths = (payload: unknown): readonly PlacedPath[] => [
  ...ofNotes(payload),
  ...ofStatements(payload),
]

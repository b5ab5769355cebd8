import { createHash } from 'node:crypto'

/** A note of an account as its row held it before notes had identities. */
export type StoredNote = Readonly<{
  platform_account_number: string
  ordinal: number
  body: string | null
  /** JSON: a list of objects with a `document_path`. */
  document_paths: string
  /** `2026-11-21 02:15:13.123`, in UTC, with or without the milliseconds. */
  created_at: string
}>

/** `digest`: SHA-256 of what notes are compared by. `time` is null for one that repeats another of its account. */
type NoteIdentity = Readonly<{ digest: string; time: string | null }>

/** The body, or without one the list of document paths. */
const contentOf = ({ body, document_paths }: StoredNote): string => {
  if (body !== null && body.trim() !== '') return `body:${body}`
  const documents = JSON.parse(document_paths) as readonly Readonly<{ document_path: string }>[]
  return `documents:${JSON.stringify(documents.map(({ document_path }) => document_path))}`
}

const digestOf = (content: string): string => createHash('sha256').update(content).digest('hex')

/** To the second, as clients know it. */
const timeOf = ({ created_at }: StoredNote): string =>
  `${created_at.slice(0, 10)}T${created_at.slice(11, 19)}Z`

/** The identities of the notes of one account, which come in their order. */
export const noteIdentities = (notes: readonly StoredNote[]): readonly NoteIdentity[] => {
  const seen = new Set<string>()
  return notes.map((note) => {
    const [digest, time] = [digestOf(contentOf(note)), timeOf(note)]
    const isRepeat = seen.has(`${digest} ${time}`)
    seen.add(`${digest} ${time}`)
    return { digest, time: isRepeat ? null : time }
  })
}

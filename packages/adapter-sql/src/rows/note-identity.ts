import { createHash } from 'node:crypto'
import type { AccountNote, NewNote } from '@account-import/core'
import { noteContent, toWireDatetime } from '@account-import/core/adapter-kit'

/** The SHA-256 of what notes are compared by: bodies are too long for keys. */
export const contentDigest = (content: string): string => createHash('sha256').update(content).digest('hex')

/**
 * What is unique among the notes of an account, with their content: a note that was added without a time of its own
 * (empty), and each time that was given. Null, so that no key holds it, for one that repeats another of its payload.
 */
export type NoteIdentity = Readonly<{ content_digest: string; identity_time: string | null }>

/** Of a note that is added to an account. */
export const newNoteIdentity = ({ note, isTimeGiven }: NewNote): NoteIdentity => ({
  content_digest: contentDigest(noteContent(note)),
  identity_time: isTimeGiven ? toWireDatetime(note.created_at) : '',
})

/** Of the notes that an account is created with, in their order: every one of them is kept. */
export const createdNoteIdentities = (notes: readonly AccountNote[]): readonly NoteIdentity[] => {
  const seen = new Set<string>()
  return notes.map((note) => {
    const identity = newNoteIdentity({ note, isTimeGiven: true })
    const text = `${identity.content_digest} ${identity.identity_time}`
    if (seen.has(text)) return { ...identity, identity_time: null }
    seen.add(text)
    return identity
  })
}

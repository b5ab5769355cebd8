import { isBlank } from '../codec/scalars.js'
import type { NotesRequest } from '../payloads/requests.js'
import { type Instant, toWireDatetime } from '../values/instant.js'
import type { AccountNote } from './account-details.js'
import { noteFromPayload } from './account-from-payload.js'

/**
 * What notes are compared by, besides their time: the body, or without one the list of document paths. Two notes
 * have the same content exactly if these texts are equal.
 */
export const noteContent = ({
  body,
  document_paths,
}: Readonly<{
  body?: string | undefined
  document_paths?: readonly Readonly<{ document_path: string }>[] | undefined
}>): string =>
  body === undefined || isBlank(body)
    ? `documents:${JSON.stringify((document_paths ?? []).map(({ document_path }) => document_path))}`
    : `body:${body}`

/** A note to add. `isTimeGiven`: `created_at` is what the client sent, not the time of adding. */
export type NewNote = Readonly<{ note: AccountNote; isTimeGiven: boolean }>

/** What became of one note of a request. `created_at` is that of the note that is on the account now. */
export type NoteOutcome = Readonly<{
  status: 'NOTE_CREATION_SUCCESS' | 'NOTE_ALREADY_EXISTS'
  body: string
  created_at: Instant
}>

/** For each content, when the account's notes with that content were created. */
export type KnownNotes = ReadonlyMap<string, readonly Instant[]>

type Decided = Readonly<{ outcomes: readonly NoteOutcome[]; added: readonly NewNote[] }>

/** The notes of one content by the time that clients know, to the second; the earliest first. */
type ByTime = Map<string, Instant>

const byTime = (instants: readonly Instant[]): ByTime =>
  new Map([...instants].sort().map((instant) => [toWireDatetime(instant), instant]))

/** When the note that this one repeats was created: any with its content, or, if it gives a time, one of that time. */
const sameAs = (known: ByTime, createdAt: string | undefined): Instant | undefined =>
  createdAt === undefined ? known.values().next().value : known.get(createdAt)

/**
 * Which notes of a request are new to an account. They are compared one after the other, so that the second of two
 * equal ones counts as a repeat of the first. `at` is the time of notes that give none.
 */
export const decideNotes = (sent: NotesRequest['notes'], at: Instant, existing: KnownNotes): Decided => {
  const known = new Map([...existing].map(([content, instants]) => [content, byTime(instants)]))
  const outcomes: NoteOutcome[] = []
  const added: NewNote[] = []
  for (const each of sent) {
    const content = noteContent(each)
    const times: ByTime = known.get(content) ?? new Map()
    const same = sameAs(times, each.created_at)
    const note = noteFromPayload(each, at)
    if (same === undefined) {
      added.push({ note, isTimeGiven: each.created_at !== undefined })
      known.set(content, times.set(toWireDatetime(note.created_at), note.created_at))
    }
    outcomes.push({
      status: same === undefined ? 'NOTE_CREATION_SUCCESS' : 'NOTE_ALREADY_EXISTS',
      body: each.body ?? '',
      created_at: same ?? note.created_at,
    })
  }
  return { outcomes, added }
}

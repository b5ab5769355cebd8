import type { AccountNote } from '../domain/account-details.js'
import { accountKeyText, type AccountKey } from '../domain/account-key.js'
import { noteContent, type NewNote } from '../domain/account-notes.js'
import type { Account } from '../domain/account.js'
import type { AccountNotes } from '../ports/account-notes.js'
import { portCall } from '../ports/port-failure.js'
import { toWireDatetime, type Instant } from '../values/instant.js'
import { existingAccount } from './existing-account.js'
import type { Tables } from './memory.js'

/** The parts are joined by line feeds, which neither identifiers nor times can hold. */
const noteIdentity = (key: AccountKey, { note, isTimeGiven }: NewNote): string =>
  `${accountKeyText(key)}\n${isTimeGiven ? toWireDatetime(note.created_at) : ''}\n${noteContent(note)}`

/** Also remembers the notes that an account is created with, among which the same one may come twice. */
export const registerNotes = (tables: Tables, { key, details }: Account): void => {
  for (const note of details.notes)
    tables.noteIdentities.set(noteIdentity(key, { note, isTimeGiven: true }), true)
}

/** What is unique of its notes: each may have been created with the account, or added without a time of its own. */
export const noteIdentitiesOf = ({ key, details }: Account): readonly string[] =>
  details.notes.flatMap((note) =>
    [true, false].map((isTimeGiven) => noteIdentity(key, { note, isTimeGiven })),
  )

const register = (tables: Tables, key: AccountKey, note: NewNote): void => {
  const identity = noteIdentity(key, note)
  if (tables.noteIdentities.get(identity)) throw new Error('the account has the note')
  tables.noteIdentities.set(identity, true)
}

const instantsByContent = (notes: readonly AccountNote[], contents: ReadonlySet<string>) => {
  const instants = new Map<string, Instant[]>()
  for (const note of notes) {
    const content = noteContent(note)
    if (!contents.has(content)) continue
    const known = instants.get(content)
    if (known === undefined) instants.set(content, [note.created_at])
    else known.push(note.created_at)
  }
  return instants
}

const call = portCall('accountNotes')

export const accountNotesWithin = (tables: Tables): AccountNotes => ({
  withContents: ({ key }, contents) =>
    call('withContents', async () =>
      instantsByContent(existingAccount(tables, key).details.notes, new Set(contents)),
    ),
  add: ({ key }, notes) =>
    call('add', async () => {
      const account = existingAccount(tables, key)
      for (const note of notes) register(tables, key, note)
      const all = [...account.details.notes, ...notes.map(({ note }) => note)]
      tables.accounts.set(accountKeyText(key), { ...account, details: { ...account.details, notes: all } })
    }),
})

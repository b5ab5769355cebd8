import {
  portCall,
  type Account,
  type AccountKey,
  type AccountNotes,
  type Instant,
  type NewNote,
} from '@account-import/core'
import { accountKeyText, noteContent, toWireDatetime } from '@account-import/core/adapter-kit'
import { changeDetails, existing } from './existing-account.js'
import type { Access } from './turns.js'
import type { View } from './view.js'

/** Notes without a time of their own are unique by their content, the others by content and time to the second. */
const noteIdentity = (key: AccountKey, { note, isTimeGiven }: NewNote): string =>
  JSON.stringify([
    accountKeyText(key),
    noteContent(note),
    ...(isTimeGiven ? [toWireDatetime(note.created_at)] : []),
  ])

/** An account may be created with two equal notes. */
export const registerNotes = (view: View, { key, details }: Account): void => {
  for (const note of details.notes) view.put('notes', noteIdentity(key, { note, isTimeGiven: true }), true)
}

/** Removes the unique keys of the account's notes, those of its creation and those added without a time. */
export const forgetNotes = (view: View, { key, details }: Account): void => {
  for (const note of details.notes)
    for (const isTimeGiven of [true, false]) view.put('notes', noteIdentity(key, { note, isTimeGiven }), null)
}

const call = portCall('accountNotes')

export const accountNotes = ({ read, change }: Access): AccountNotes => ({
  withContents: ({ key }, contents) =>
    call('withContents', () =>
      read((view) => {
        const asked = new Set(contents)
        const known = new Map<string, Instant[]>()
        for (const note of existing(view, key).details.notes) {
          const content = noteContent(note)
          if (asked.has(content)) known.set(content, [...(known.get(content) ?? []), note.created_at])
        }
        return known
      }),
    ),
  add: ({ key }, notes) =>
    call('add', () =>
      change((view) => {
        if (notes.length === 0) return
        const account = existing(view, key)
        for (const note of notes) view.insert('notes', noteIdentity(key, note), true)
        changeDetails(view, account, { notes: [...account.details.notes, ...notes.map(({ note }) => note)] })
      }),
    ),
})

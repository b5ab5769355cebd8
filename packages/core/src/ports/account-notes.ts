import type { KnownNotes, NewNote } from '../domain/account-notes.js'
import type { LockedAccount } from './accounts.js'
import type { PortResult } from './port-failure.js'

/** The notes of one account, while it is locked. */
export interface AccountNotes {
  /**
   * For each of the contents (`noteContent`) that a note of the account has, when its notes with it were created. Takes
   * time in proportion to the contents that are asked for, not to the account.
   */
  withContents(account: LockedAccount, contents: readonly string[]): PortResult<KnownNotes>
  /**
   * Adds the notes after those that the account has, in this order. Unique, and otherwise a failure: among notes of
   * one content the ones that were added without a time of their own, and those with the same time.
   */
  add(account: LockedAccount, notes: readonly NewNote[]): PortResult<void>
}

import type { KnownNotes, NewNote } from '../domain/account-notes.js'
import type { LockedAccount } from './accounts.js'
import type { PortResult } from './port-failure.js'

/** The notes of one account, while it is locked. */
export interface AccountNotes {
  /**
   * For each of the contents (`noteContent`) that notes of the account have, when those notes were created. Takes time
   * in proportion to the contents that are asked for, not to the account.
   */
  withContents(account: LockedAccount, contents: readonly string[]): PortResult<KnownNotes>
  /**
   * Adds the notes after those that the account has, in this order. Of one content, only one note may be added without
   * a time of its own, and only one with the same time; more are a failure.
   */
  add(account: LockedAccount, notes: readonly NewNote[]): PortResult<void>
}

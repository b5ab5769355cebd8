import type { UndoableAccount, UndoOutcome } from '../domain/account-undo.js'
import type { Actor } from '../domain/audit-entry.js'
import type { Instant } from '../values/instant.js'
import type { PortResult } from './port-failure.js'

/** Created accounts of one supplier that are to be taken back. */
export type UndoRequest = Readonly<{
  organisation: string
  importSupplier: string
  /** 1 to 1000, no two of them equal. */
  externalAccountNumbers: readonly string[]
  /** Whether accounts go to which something was added since they were created; what was added goes with them. */
  withAdditions: boolean
  at: Instant
}>

/** The accounts as a preview showed them, in the order of the numbers: undefined for those that it said are kept. */
export type ConfirmedUndo = UndoRequest &
  Readonly<{ previewed: readonly (UndoableAccount | undefined)[]; by?: Actor | undefined }>

/**
 * Created accounts can be taken back. A platform that embeds the core wraps this port where it has to agree, or has something of
 * its own to remove.
 */
export interface AccountUndo {
  /** Whether each of the accounts can be taken back now, in the order of the numbers. Changes nothing. */
  canUndo(request: UndoRequest): PortResult<readonly UndoOutcome[]>

  /**
   * Takes back those accounts that are as they were previewed, each wholly or not at all; answers for each, in the order of the
   * numbers, `undoable` for one that was taken back. The account, its items, its e-mail and the answers that are kept for
   * requests about it are removed, and its import counts as never staged: it may be staged and created again. Each is put on
   * record (`AuditTrail`), with the number that it had. May be repeated after a failure: accounts that were taken back are
   * `not_created` then.
   */
  undo(request: ConfirmedUndo): PortResult<readonly UndoOutcome[]>
}

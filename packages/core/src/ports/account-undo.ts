import type { Actor } from '../domain/audit-entry.js'
import type { Instant } from '../values/instant.js'
import type { PortResult } from './port-failure.js'

/**
 * Why an account is kept. `not_created`: there is no created account; `has_additions`: something was added to it since, and
 * additions are not to be removed; `erased`: its personal data was erased, and what is left is the evidence of that;
 * `email_being_sent`: ask again in a minute; `changed`: it is not as it was previewed; `refused_by_platform`: the platform that
 * embeds the service works with it already.
 */
export const undoRefusals = [
  'not_created',
  'has_additions',
  'erased',
  'email_being_sent',
  'changed',
  'refused_by_platform',
] as const
export type UndoRefusal = (typeof undoRefusals)[number]

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

/** An account that can be taken back now. `additions`: how often something was added to it since it was created. */
export type UndoableAccount = Readonly<{ platformAccountNumber: string; additions: number }>

/** The outcome for one account: what was, or would be, taken back, or why not. */
export type UndoOutcome =
  | (Readonly<{ _tag: 'undoable' }> & UndoableAccount)
  | Readonly<{ _tag: 'kept'; reason: UndoRefusal }>

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

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

/** An account that can be taken back now. `additions`: how often something was added to it since it was created. */
export type UndoableAccount = Readonly<{ platformAccountNumber: string; additions: number }>

/** The outcome for one account: what was, or would be, taken back, or why not. */
export type UndoOutcome =
  | Readonly<{ _tag: 'undoable' } & UndoableAccount>
  | Readonly<{ _tag: 'kept'; reason: UndoRefusal }>

/** A created account, as far as it decides whether it can be taken back. */
export type UndoCandidate = UndoableAccount & Readonly<{ isErased: boolean; isEmailBeingSent: boolean }>

const kept = (reason: UndoRefusal): UndoOutcome => ({ _tag: 'kept', reason })

/** Whether an account can be taken back; undefined for one that was not created. */
export const undoOutcome = (found: UndoCandidate | undefined, withAdditions: boolean): UndoOutcome => {
  if (found === undefined) return kept('not_created')
  const { platformAccountNumber, additions, isErased, isEmailBeingSent } = found
  if (isErased) return kept('erased')
  if (isEmailBeingSent) return kept('email_being_sent')
  if (additions > 0 && !withAdditions) return kept('has_additions')
  return { _tag: 'undoable', platformAccountNumber, additions }
}

/** The same outcome, unless the account is not as the preview showed it: undefined for one that was shown as kept. */
export const asPreviewed = (found: UndoOutcome, previewed: UndoableAccount | undefined): UndoOutcome =>
  found._tag === 'kept' ||
  (found.platformAccountNumber === previewed?.platformAccountNumber &&
    found.additions === previewed.additions)
    ? found
    : kept('changed')

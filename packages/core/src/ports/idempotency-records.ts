import type { Instant } from '../values/instant.js'
import type { PortResult } from './port-failure.js'

/** An answer as it was given: its status, the headers that belong to it, and its body as text. */
export type KeptAnswer = Readonly<{
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}>

/** Which request an answer belongs to: whose it is, and 64 characters that name it. */
export type AnswerKey = Readonly<{ organisation: string; request: string }>

/** An account that a request is about. */
export type AnsweredAccount = Readonly<{ importSupplier: string; externalAccountNumber: string }>

export type AnswerClaim = Readonly<{
  key: AnswerKey
  /** 64 characters that are the same for two requests only if they hold the same. */
  content: string
  /** Unique to this claim: `Secrets.generate`. */
  token: string
  at: Instant
  /** From then on who is gone without an answer is not waited for. */
  endsAt: Instant
  /** From then on the key may be used for anything. */
  expiresAt: Instant
  /** How many bytes of claims and answers the organisation may keep in a day (UTC); absent: any. */
  mostBytes?: number
}>

/** A claim, by what it is known by to who answers under it. */
export type ClaimedRequest = Pick<AnswerClaim, 'key' | 'token'>

/**
 * `claimed`: the request is to be answered by who claimed it. `answered`: it was, like this. `in_progress`: somebody else
 * is at it. `other_content`: the key belongs to a request that holds something else. `full`: the organisation keeps as much as it may,
 * and no key that is new is claimed until then.
 */
export type AnswerClaimed =
  | Readonly<{ _tag: 'claimed' }>
  | Readonly<{ _tag: 'answered'; answer: KeptAnswer }>
  | Readonly<{ _tag: 'in_progress' }>
  | Readonly<{ _tag: 'other_content' }>
  | Readonly<{ _tag: 'full'; until: Instant }>

/** The answers to requests that came with an idempotency key, kept until they expire. */
export interface IdempotencyRecords {
  /**
   * Claims a request. The first claim decides what the key belongs to, until it expires. One of several concurrent claims is
   * `claimed`, and again one after that claim has ended without an answer. A claim that is repeated with the same token,
   * without an answer yet, is `claimed`. Bytes may be counted a 64th of `mostBytes` late in each process;
   * keys that were claimed before the bound was met are answered, and claimed again, as ever.
   */
  claim(claim: AnswerClaim): PortResult<AnswerClaimed>
  /**
   * Keeps the answer, if the claim is still the one named and none is kept: otherwise `claim_lost`, and nothing changes. With
   * `account` it is found and removed as what is held of that account (`PersonalData`); of an account that is erased or taken back, be it
   * while the request was under way, nothing is kept and the claim is forgotten: `account_erased`.
   */
  keep(
    answered: ClaimedRequest &
      Readonly<{ answer: KeptAnswer; expiresAt: Instant; account?: AnsweredAccount | undefined }>,
  ): PortResult<'kept' | 'claim_lost' | 'account_erased'>
  /** Ends the claim if it is still the one named: the same request may be claimed again at once. */
  release(ended: ClaimedRequest & Readonly<{ at: Instant }>): PortResult<void>
  /** Removes up to `limit` (1 to 1000) of what has expired, and answers how many; all stores may do so at any time. */
  forget(at: Instant, limit: number): PortResult<number>
}

/** Claims, as a unit of work sees them that does what a request with an idempotency key asks for. */
export interface KeyedWork {
  /**
   * Marks with what the unit of work writes that it is done: `first`. `done`: another unit of work has done it, under this claim
   * or an earlier one whose answer was not kept. `claim_lost`: somebody else has taken the claim over, or answered it, and this
   * unit of work has to end without a change.
   */
  begin(claimed: ClaimedRequest): PortResult<'first' | 'done' | 'claim_lost'>
}

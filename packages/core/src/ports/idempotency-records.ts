import type { Instant } from '../values/instant.js'
import type { PortResult } from './port-failure.js'

/** A stored response: its status, its headers, and its body as text. */
export type KeptAnswer = Readonly<{
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}>

/** The key of an idempotency record: the organisation, and 64 characters that identify the request. */
export type AnswerKey = Readonly<{ organisation: string; request: string }>

/** The account of a request. */
export type AnsweredAccount = Readonly<{ importSupplier: string; externalAccountNumber: string }>

export type AnswerClaim = Readonly<{
  key: AnswerKey
  /** 64 characters that are equal for two requests only if their content is equal. */
  content: string
  /** Unique to this claim: `Secrets.generate`. */
  token: string
  at: Instant
  /** The end of the claim: from then on the request may be claimed again. */
  endsAt: Instant
  /** The end of the record: from then on the key may be used for another request. */
  expiresAt: Instant
}>

/** The key and the token of a claim. */
export type ClaimedRequest = Pick<AnswerClaim, 'key' | 'token'>

/**
 * `claimed`: the caller has to answer the request. `answered`: the request has this answer. `in_progress`: another caller has the
 * claim. `other_content`: the key belongs to a request with other content.
 */
export type AnswerClaimed =
  | Readonly<{ _tag: 'claimed' }>
  | Readonly<{ _tag: 'answered'; answer: KeptAnswer }>
  | Readonly<{ _tag: 'in_progress' }>
  | Readonly<{ _tag: 'other_content' }>

/** The idempotency records: the answers to requests with an idempotency key, kept until they expire. */
export interface IdempotencyRecords {
  /**
   * Claims a request. The first claim binds the key to its content until the record expires. One of several concurrent claims is
   * `claimed`, and again one after that claim has ended without an answer. A repeated claim with the same token, without an
   * answer yet, is `claimed`.
   */
  claim(claim: AnswerClaim): PortResult<AnswerClaimed>
  /**
   * Keeps the answer if `token` still has the claim and no answer is kept: otherwise `claim_lost`, and nothing changes. With
   * `account` it belongs to the data of that account (`PersonalData`). If that account was erased or undone, also during the
   * request, the answer is not kept and the claim is removed: `account_erased`.
   */
  keep(
    answered: ClaimedRequest &
      Readonly<{ answer: KeptAnswer; expiresAt: Instant; account?: AnsweredAccount | undefined }>,
  ): PortResult<'kept' | 'claim_lost' | 'account_erased'>
  /** Ends the claim if `token` still has it: the same request may be claimed again at once. */
  release(ended: ClaimedRequest & Readonly<{ at: Instant }>): PortResult<void>
  /** Removes up to `limit` (1 to 1000) expired records, and returns how many. Concurrent calls are allowed. */
  forget(at: Instant, limit: number): PortResult<number>
}

/** Marks requests with an idempotency key as done, in the unit of work that does their work. */
export interface KeyedWork {
  /**
   * Marks the request as done in the same transaction: `first`. `done`: another unit of work has done it, under this claim or an
   * earlier one whose answer was not kept. `claim_lost`: another caller has taken the claim over, or answered the request, and
   * this unit of work has to end without a change.
   */
  begin(claimed: ClaimedRequest): PortResult<'first' | 'done' | 'claim_lost'>
}

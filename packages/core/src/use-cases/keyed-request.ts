import type { AnsweredAccount, KeptAnswer } from '../ports/idempotency-records.js'
import type { PortFailure } from '../ports/port-failure.js'

/** A request that may come again with its idempotency key. */
export type KeyedRequest = Readonly<{
  organisation: string
  key: string
  /** The key counts for one method and one path. */
  method: string
  path: string
  /** A digest of all else that the request is about, 64 characters. */
  content: string
}>

/**
 * `isFinal`: the same request would not be answered differently if it came again. `account`: the one that it is about, by which
 * the answer is found when that account is erased.
 */
export type FirstAnswer = Readonly<{
  answer: KeptAnswer
  isFinal: boolean
  account?: AnsweredAccount | undefined
}>

/**
 * `replayed`: the answer is that of an earlier request. `notKept`: it was given now and holds, but could not be kept, for the
 * log.
 */
export type AnsweredOnce = Readonly<{
  answer: KeptAnswer
  replayed: boolean
  notKept: PortFailure | undefined
}>

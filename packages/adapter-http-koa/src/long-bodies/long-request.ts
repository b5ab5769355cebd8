import type { Actor, ClaimedRequest } from '@account-import/core'
import type { RequestRecord } from '../context.js'

/** A request with a long body, admitted and decoded but for its body; it can be sent to another thread. */
export type LongRequest = Readonly<{
  /** The path pattern of the endpoint, which has one body of JSON and one answer. */
  route: string
  organisation: string
  by: Actor
  /** Where it has an idempotency key. */
  claimed: ClaimedRequest | undefined
  params: unknown
  query: unknown
  /** The path as it was asked for. */
  path: string
  requestId: string
  bytes: Uint8Array
}>

/** How it is answered, what the log is to say of it, and which account it is about; it can be sent back. */
export type LongAnswer = Readonly<{
  status: number
  headers: Readonly<Record<string, string>>
  body: string
  notes: Pick<RequestRecord, 'account' | 'changesNothing' | 'code' | 'errors' | 'failure'>
}>

/** Answers long requests where they do not hold up others. Rejects where that could not be done. */
export type LongBodies = (request: LongRequest) => Promise<LongAnswer>

import type { Actor, BulkLine, ClaimedRequest } from '@account-import/core'
import type { BodyOwner } from './body/body-bytes.js'
import type { PacedResults } from './route.js'
import type { InForce } from './while-in-force.js'

/** A request as far as it is decoded before its route runs. `bytes`: the body of an endpoint that takes JSON. */
export type Admitted<Params, Query> = Readonly<{
  organisation: string
  by: Actor
  address: Readonly<{ params: Params; query: Query }>
  bytes: Uint8Array
  inForce: InForce
  owner: BodyOwner
  /** The lines of a body, as fast as the key may send accounts. */
  paced: (lines: AsyncIterable<BulkLine>) => AsyncIterable<BulkLine>
  pacedResults: PacedResults
  /** Where it has an idempotency key. */
  claimed?: ClaimedRequest
}>

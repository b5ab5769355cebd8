import type { Actor, BulkLine, ClaimedRequest, SentPayload } from '@account-import/core'
import type { TaskEither } from '@account-import/core/adapter-kit'
import type { Answer, Endpoint, endpoints, ListAnswer, Refusal } from '@account-import/http-contract'
import type { RequestRecord } from './context.js'

/** The same pages of results, no faster than the rate of a key allows. */
export type PacedResults = <Result>(
  pages: AsyncIterable<readonly Result[]>,
) => AsyncIterable<readonly Result[]>

/** The actor and the subject: a request but for its body, decoded as far as the endpoint's codecs go. It can be sent to another thread. */
export type Asked<Params, Query> = Readonly<{
  /** The code of the organisation whose token it is. */
  organisation: string
  /** The actor, for the audit log. */
  by: Actor
  /** Where the request has an idempotency key. */
  claimed: ClaimedRequest | undefined
  params: Params
  query: Query
  /** The path as it was asked for, percent-encoded, with everything that a host put before it. */
  path: string
}>

/** The input of a route: the request with its body. */
export type RouteRequest<Params, Query> = Asked<Params, Query> &
  Readonly<{
    /** The JSON as it came; its payload is `undefined` for endpoints without a body, and for those that take lines. */
    body: SentPayload
    /** The body of an endpoint that takes lines, read as they are asked for; no lines for any other. */
    lines: AsyncIterable<BulkLine>
    /** The results of accounts, as fast as the key may have them processed. */
    pacedResults: PacedResults
    /** The fields for the log. */
    record: RequestRecord
    /** Aborted when the client goes away before its answer is whole. */
    gone: () => AbortSignal
  }>

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never

/** The work of an endpoint: its answers have the endpoint's body and statuses, its refusals the endpoint's tags. */
export type Route<Params, Query, Success, Status extends number, Tag extends Refusal['_tag']> = (
  request: RouteRequest<Params, Query>,
) => TaskEither<
  Extract<Refusal, { _tag: Tag }>,
  Answer<Success, Status> | ListAnswer<ItemOf<Success>, Status>
>

type Name = keyof typeof endpoints

/** The types of each endpoint's parts, by its name. */
type Parts = {
  [Each in Name]: (typeof endpoints)[Each] extends Endpoint<
    infer Params,
    infer Query,
    infer Body,
    infer Success,
    infer Status,
    infer Tag
  >
    ? { params: Params; query: Query; body: Body; success: Success; status: Status; tag: Tag }
    : never
}

/** The endpoints by their names. */
export type Endpoints = {
  readonly [Each in Name]: Endpoint<
    Parts[Each]['params'],
    Parts[Each]['query'],
    Parts[Each]['body'],
    Parts[Each]['success'],
    Parts[Each]['status'],
    Parts[Each]['tag']
  >
}

/** The routes by the names of their endpoints: one that is missing, or does not fit, does not compile. */
export type Routes = {
  readonly [Each in Name]: Route<
    Parts[Each]['params'],
    Parts[Each]['query'],
    Parts[Each]['success'],
    Parts[Each]['status'],
    Parts[Each]['tag']
  >
}

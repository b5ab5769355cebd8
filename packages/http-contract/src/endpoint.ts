import type { Reader } from '@account-import/core/adapter-kit'
import type * as t from 'io-ts'
import type { Answer, Call } from './call.js'
import type { Lines } from './lines/lines.js'
import type { Refusal } from './problems/problem-of.js'

/**
 * One endpoint as a value; server and documentation read this one definition, the client the call in it.
 *
 * - `params`, `query`: decode the percent-decoded texts of the address
 * - `body`: what the use case accepts, `undefined` without a body. It documents and types the body; the use case
 *   checks it, so that errors of the fields and others, such as an unknown supplier, come in one answer. As `Lines` it
 *   is a stream of such bodies.
 * - `refusals`: what the use cases behind it refuse with
 */
export type Endpoint<Params, Query, Body, Success, Status extends number, Tag extends Refusal['_tag']> = Call<
  Success,
  Status
> &
  Readonly<{
    summary: string
    params: t.Decoder<unknown, Params>
    query: t.Decoder<unknown, Query>
    body: Reader<Body> | Lines<Reader<Body>> | undefined
    refusals: readonly Tag[]
  }>

/** Any endpoint, for code that only describes it. */
export type AnyEndpoint = Endpoint<unknown, unknown, unknown, unknown, number, Refusal['_tag']>

/** How an endpoint answers what its use case did. */
type Answering<Done, Success, Status extends number> = Readonly<{
  answer: (done: Done) => Answer<Success, Status>
}>

/** Keeps the types of an endpoint's parts; its answer has to fit its body and statuses. */
export const endpoint = <
  Params,
  Query,
  Body,
  Success,
  const Status extends number,
  Tag extends Refusal['_tag'],
  Done,
>(
  definition: Endpoint<Params, Query, Body, Success, Status, Tag> &
    Answering<Done, NoInfer<Success>, NoInfer<Status>>,
): Endpoint<Params, Query, Body, Success, Status, Tag> & Answering<Done, Success, Status> => definition

import type { Scope } from '@account-import/core'
import type * as t from 'io-ts'

/** Where an endpoint lies, without what goes in and out. */
export type EndpointAddress = Readonly<{
  /** Kebab-case name, unique; the name of its use case. */
  name: string
  method: 'GET' | 'POST'
  /** Below the base address; ends with a slash; parameters stand in braces, one whole segment each. */
  path: string
  /** What a token must be allowed to do. */
  scope: Scope
}>

/**
 * One endpoint as a value; server, client and documentation read this one definition.
 *
 * - `params`, `query`: decode the percent-decoded texts of the address
 * - `body`: what the use case accepts, `undefined` without a body. It documents and types the body; the use case
 *   checks it, because entries of its environment join those of the shape in one answer.
 * - `statuses`, `success`: the statuses of success and the one body that they share
 */
export type Endpoint<Params, Query, Body, Success> = EndpointAddress &
  Readonly<{
    summary: string
    params: t.Type<Params, unknown, unknown>
    query: t.Type<Query, unknown, unknown>
    body: t.Type<Body, unknown, unknown> | undefined
    statuses: readonly number[]
    success: t.Type<Success, unknown, unknown>
  }>

/** Keeps the types of an endpoint's parts. */
export const endpoint = <Params, Query, Body, Success>(
  definition: Endpoint<Params, Query, Body, Success>,
): Endpoint<Params, Query, Body, Success> => definition

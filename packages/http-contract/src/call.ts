import type { Scope } from '@account-import/core'

/** What a success is answered with; warnings are in the headers and change neither status nor body. */
export type Answer<Body, Status extends number> = Readonly<{
  status: Status
  headers: Readonly<Record<string, string>>
  body: Body
}>

/** A list that is answered in pieces, a page at a time, so that it never has to be in memory as a whole. */
export type ListAnswer<Item, Status extends number> = Readonly<{
  status: Status
  headers: Readonly<Record<string, string>>
  pages: AsyncIterable<readonly Item[]>
}>

/** The address of an endpoint, without what goes in and out. */
export type EndpointAddress = Readonly<{
  method: 'GET' | 'POST'
  /** Below the base address; ends with a slash; parameters stand in braces, one whole segment each. */
  path: string
  /** What a token must be allowed to do. */
  scope: Scope
}>

/**
 * What a client knows of an endpoint: its address and what it answers. `statuses`, `success`: the statuses of success and
 * the one body that they share, which may be a stream of lines.
 *
 * Apart from the endpoint, because the payload codecs of what goes in bring the telephone numbers of the world along.
 */
export type Call<Success, Status extends number> = EndpointAddress &
  Readonly<{
    statuses: readonly Status[]
    success: Readonly<{ name: string; is: (value: unknown) => value is Success }>
  }>

/** Keeps the types of a call's parts. */
export const call = <Success, const Status extends number>(
  definition: Call<Success, Status>,
): Call<Success, Status> => definition

import type { RefusedToken } from './graphql-errors.js'

/** What a resolver knows of its request. */
export type GraphqlContext = Readonly<{
  /** The client's network address, by which failed attempts are counted. */
  address: string
  requestId: string
  /** Seconds until a key may obtain a token; 0 where it may now. */
  secondsToWait: (apiKeyId: string) => Promise<number>
  /** Notes a refusal for the head of the answer and for the log. */
  refused: (refusal: RefusedToken) => unknown
}>

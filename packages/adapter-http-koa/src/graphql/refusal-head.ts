import { problemOf } from '@account-import/http-contract'
import type { RefusedToken } from './graphql-errors.js'

/** What a refusal does to the HTTP answer that carries it; an absent status leaves the one that GraphQL gave. */
type RefusalHead = Readonly<{ status?: number; headers: Readonly<Record<string, string>> }>

/**
 * Refused credentials are an answer like any other, so GraphQL's own status stays; what the service cannot do has
 * the status that it has everywhere. `Retry-After` is that of the problem table.
 */
export const refusalHead = (refusal: RefusedToken): RefusalHead => {
  const { status, headers } = problemOf(refusal, '')
  const wait = headers['Retry-After']
  const ours = refusal._tag === 'PortFailure' || refusal._tag === 'Unexpected'
  return { ...(ours ? { status } : {}), headers: wait === undefined ? {} : { 'Retry-After': wait } }
}

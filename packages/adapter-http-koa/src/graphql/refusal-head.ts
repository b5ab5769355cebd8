import { problemOf } from '@account-import/http-contract'
import type { RefusedToken } from './graphql-errors.js'

/** What a refusal does to the HTTP answer that carries it; an absent status leaves the one that GraphQL gave. */
type RefusalHead = Readonly<{ status?: number; headers: Readonly<Record<string, string>> }>

/**
 * Refused credentials keep the status 200 that GraphQL gives to answers; failures of the service have the status that
 * they have everywhere. `Retry-After` is that of the problem table.
 */
export const refusalHead = (refusal: RefusedToken): RefusalHead => {
  const { status, headers } = problemOf(refusal, '')
  const wait = headers['Retry-After']
  const ours = refusal._tag === 'PortFailure' || refusal._tag === 'Unexpected'
  return { ...(ours ? { status } : {}), headers: wait === undefined ? {} : { 'Retry-After': wait } }
}

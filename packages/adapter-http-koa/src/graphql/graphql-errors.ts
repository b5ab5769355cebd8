import {
  type AuthenticationFailed,
  detailOf,
  type PortFailure,
  type RefreshTokenReused,
  type TooManyAttempts,
} from '@account-import/core'
import { graphqlErrorCodes, problemOf, type TransportRefusal } from '@account-import/http-contract'
import { GraphQLError } from 'graphql'

/** Why no token was given. `Unexpected`: the use case threw, which it should not. */
export type RefusedToken =
  | AuthenticationFailed
  | RefreshTokenReused
  | TooManyAttempts
  | PortFailure
  | Extract<TransportRefusal, { _tag: 'Unexpected' }>

const codeOf = (refusal: RefusedToken): string => {
  if (refusal._tag === 'AuthenticationFailed' || refusal._tag === 'RefreshTokenReused')
    return graphqlErrorCodes.authenticationFailed
  if (refusal._tag === 'TooManyAttempts') return graphqlErrorCodes.tooManyAttempts
  return refusal._tag === 'PortFailure' && refusal.kind === 'unavailable'
    ? graphqlErrorCodes.unavailable
    : graphqlErrorCodes.internal
}

/** A refusal of the use case as a GraphQL error: only its code and the catalogue's text. */
export const refusalError = (refusal: RefusedToken): GraphQLError => {
  const wait = 'retryAfterSeconds' in refusal ? { retryAfterSeconds: refusal.retryAfterSeconds } : {}
  const { detail } = problemOf(refusal, '').body
  return new GraphQLError(detail, { extensions: { code: codeOf(refusal), ...wait } })
}

export const inputError = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: graphqlErrorCodes.badInput } })

/** The text behind these words in graphql-js's messages is the value that was sent, which may be a secret. */
const valuePart = /(, found |got invalid value |value: |Syntax Error)[\s\S]*$/

/**
 * An error as clients see it. Our own errors stay as they are; those of graphql-js get a code, and lose the values
 * that they quote. Anything else that was thrown becomes `INTERNAL`.
 */
export const shownError = (error: Readonly<GraphQLError | Error>): GraphQLError => {
  if (!(error instanceof GraphQLError) || (error.originalError && !isOurs(error.originalError)))
    return new GraphQLError(detailOf('error'), { extensions: { code: graphqlErrorCodes.internal } })
  if (error.extensions['code'] !== undefined) return error
  const message = error.message.replace(valuePart, (_, words: string) => `${words.trim()} (not shown)`)
  return new GraphQLError(message, {
    nodes: error.nodes ?? null,
    source: error.source ?? null,
    positions: error.positions ?? null,
    extensions: { code: graphqlErrorCodes.badInput },
  })
}

const isOurs = (error: Error): boolean => error instanceof GraphQLError

/** The effect of a refusal on the HTTP answer that carries it; an absent status leaves the one that GraphQL gave. */
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

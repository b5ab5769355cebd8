import type {
  AuthenticationFailed,
  Credentials,
  PortFailure,
  RefreshTokenReused,
  Tokens,
  TooManyAttempts,
  UseCases,
} from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'
import { E, type Either } from '@account-import/core/fp'
import {
  graphqlErrorCodes,
  type ObtainedToken,
  problemOf,
  type TransportRefusal,
} from '@account-import/http-contract'
import {
  GraphQLError,
  type GraphQLFieldConfig,
  GraphQLInputObjectType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql'

/** Refusals of a request for a token. `Unexpected`: the use case threw, which is a bug. */
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

const inputError = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: graphqlErrorCodes.badInput } })

/** Facts about the request, for the resolver. */
export type GraphqlContext = Readonly<{
  /** The client's network address, by which failed attempts are counted. */
  address: string
  requestId: string
  /** Seconds until a key may obtain a token; 0 if it may now. */
  secondsToWait: (apiKeyId: string) => Promise<number>
  /** Notes a refusal for the head of the answer and for the log. */
  refused: (refusal: RefusedToken) => unknown
}>

const text = { type: new GraphQLNonNull(GraphQLString) }

const tokenType = new GraphQLObjectType({
  name: 'ObtainedToken',
  description: 'An access token and the refresh token that follows it. Times are YYYY-MM-DDTHH:MM:SSZ.',
  fields: { token: text, expiresAt: text, refreshToken: text, refreshExpiresAt: text },
})

const inputType = new GraphQLInputObjectType({
  name: 'ObtainTokenInput',
  description: 'Exactly one of the two.',
  fields: { apiKey: { type: GraphQLString }, refreshToken: { type: GraphQLString } },
})

type Input = Readonly<{ apiKey?: string | null; refreshToken?: string | null }>

const credentialsOf = ({ apiKey, refreshToken }: Input): Credentials => {
  if (apiKey != null && refreshToken == null) return { apiKey }
  if (refreshToken != null && apiKey == null) return { refreshToken }
  throw inputError('Give exactly one of apiKey and refreshToken.')
}

type ObtainToken = UseCases['obtainToken']

/** Turns a throw into a value, so that it gets its status and log entry; graphql-js would answer it with 200. */
const unthrown =
  (obtainToken: ObtainToken) =>
  async (request: Parameters<ObtainToken>[0]): Promise<Either<RefusedToken, Tokens>> => {
    try {
      return await obtainToken(request)
    } catch (cause) {
      return E.left({ _tag: 'Unexpected', cause })
    }
  }

const obtainTokenField = ({
  obtainToken,
}: Pick<UseCases, 'obtainToken'>): GraphQLFieldConfig<unknown, GraphqlContext, { input: Input }> => ({
  type: tokenType,
  args: { input: { type: new GraphQLNonNull(inputType) } },
  resolve: async (_, { input }, { refused, ...asked }): Promise<ObtainedToken> => {
    const obtained = await unthrown(obtainToken)({ ...asked, credentials: credentialsOf(input) })
    if (E.isRight(obtained)) {
      const { expiresAt, refreshExpiresAt, ...tokens } = obtained.right
      return {
        ...tokens,
        expiresAt: toWireDatetime(expiresAt),
        refreshExpiresAt: toWireDatetime(refreshExpiresAt),
      }
    }
    refused(obtained.left)
    throw refusalError(obtained.left)
  },
})

/** GraphQL requires a query type, so the schema has a constant; all data is in the data-import API. */
const query = new GraphQLObjectType({
  name: 'Query',
  fields: { service: { type: new GraphQLNonNull(GraphQLString), resolve: () => 'account-import' } },
})

export const graphqlSchema = (useCases: Pick<UseCases, 'obtainToken'>): GraphQLSchema =>
  new GraphQLSchema({
    query,
    mutation: new GraphQLObjectType({
      name: 'Mutation',
      fields: { obtainToken: obtainTokenField(useCases) },
    }),
  })

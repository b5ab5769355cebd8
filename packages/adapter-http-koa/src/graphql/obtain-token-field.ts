import type { Credentials, Tokens, UseCases } from '@account-import/core'
import type { Either } from '@account-import/core/adapter-kit'
import { E, toWireDatetime } from '@account-import/core/adapter-kit'
import type { ObtainedToken } from '@account-import/http-contract'
import type { GraphQLFieldConfig } from 'graphql'
import { GraphQLInputObjectType, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql'
import type { GraphqlContext } from './graphql-context.js'
import type { RefusedToken } from './graphql-errors.js'
import { inputError, refusalError } from './graphql-errors.js'

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
      return await obtainToken(request)()
    } catch (cause) {
      return E.left({ _tag: 'Unexpected', cause })
    }
  }

/** The mutation that exchanges an API key or a refresh token for tokens. */
export const obtainTokenField = ({
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

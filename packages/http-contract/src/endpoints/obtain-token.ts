import * as t from 'io-ts'

/** The address of the GraphQL mutation that obtains tokens. It needs no token. */
export const graphqlAddress = { name: 'obtain-token', method: 'POST', path: '/v1/graphql/' } as const

/** The mutation that `@account-import/client` sends. */
export const obtainTokenMutation =
  'mutation ObtainToken($input: ObtainTokenInput!) { obtainToken(input: $input) ' +
  '{ token expiresAt refreshToken refreshExpiresAt } }'

/** Exactly one of the two. */
export type ObtainTokenInput = Readonly<{ apiKey: string } | { refreshToken: string }>

/** Times are `YYYY-MM-DDTHH:MM:SSZ`. */
export const obtainedToken = t.type(
  { token: t.string, expiresAt: t.string, refreshToken: t.string, refreshExpiresAt: t.string },
  'ObtainedToken',
)
export type ObtainedToken = t.TypeOf<typeof obtainedToken>

/** The `extensions.code` of errors. `BAD_USER_INPUT`: a fault in the request itself. */
export const graphqlErrorCodes = {
  badInput: 'BAD_USER_INPUT',
  authenticationFailed: 'AUTHENTICATION_FAILED',
  tooManyAttempts: 'TOO_MANY_ATTEMPTS',
  unavailable: 'SERVICE_UNAVAILABLE',
  internal: 'INTERNAL',
} as const

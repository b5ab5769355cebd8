import * as t from 'io-ts'

/** Where the GraphQL mutation that obtains tokens is sent to; it needs no token. */
export const graphqlAddress = { name: 'obtain-token', method: 'POST', path: '/v1/graphql/' } as const

/** The mutation as this repository's client sends it. */
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

/** The `extensions.code` of errors; beside these, what is wrong with the request itself is `BAD_USER_INPUT`. */
export const graphqlErrorCodes = {
  badInput: 'BAD_USER_INPUT',
  authenticationFailed: 'AUTHENTICATION_FAILED',
  tooManyAttempts: 'TOO_MANY_ATTEMPTS',
  unavailable: 'SERVICE_UNAVAILABLE',
  internal: 'INTERNAL',
} as const

import type { UseCases } from '@account-import/core'
import { instantOf } from '@account-import/core'
import { E } from '@account-import/core/fp'
import type { ExecutionContext } from 'ava'

/** POSTs a value as a GraphQL request. */
export const sendGraphql = (
  baseUrl: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${baseUrl}/v1/graphql/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

export type GraphqlBody = Readonly<{
  data?: unknown
  errors?: readonly Readonly<{ message: string; extensions?: Readonly<Record<string, unknown>> }>[]
}>

/** The codes of the errors of an answer with status 200. */
export const codesIn = async (t: ExecutionContext, response: Response): Promise<unknown[]> => {
  t.is(response.status, 200)
  const { errors = [] } = (await response.json()) as GraphqlBody
  return errors.map(({ extensions }) => extensions?.['code'])
}

/** Hands out tokens that name the credential that they were given for. */
export const issuing: Pick<UseCases, 'obtainToken'> = {
  obtainToken: async ({ credentials }) =>
    E.right({
      token: 'apiKey' in credentials ? `for ${credentials.apiKey}` : `again ${credentials.refreshToken}`,
      expiresAt: instantOf(3_600_123),
      refreshToken: 'r',
      refreshExpiresAt: instantOf(604_800_000),
    }),
}

/** The mutation with an input as GraphQL text. */
export const mutation = (input: string): Readonly<{ query: string }> => ({
  query: `mutation { obtainToken(input: ${input}) { token expiresAt refreshToken refreshExpiresAt } }`,
})

type TokenAnswer = Readonly<{ data?: Readonly<{ obtainToken?: Readonly<{ token: string }> }> }>

/** Exchanges an API key for a token. */
export const obtainToken = async (address: string, apiKey: string): Promise<string> => {
  const response = await fetch(`${address}/v1/graphql/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      query: 'mutation ($input: ObtainTokenInput!) { obtainToken(input: $input) { token } }',
      variables: { input: { apiKey } },
    }),
  })
  const answer = (await response.json()) as TokenAnswer
  const token = answer.data?.obtainToken?.token
  if (token === undefined) throw new Error('The server gave no token')
  return token
}

import {
  graphqlAddress,
  obtainTokenMutation,
  type ObtainedToken,
  type ObtainTokenInput,
} from '@account-import/http-contract'

/** A response without the parts that differ in every response. */
type RawAnswer = Readonly<{ status: number; headers: Readonly<Record<string, string>>; text: string }>

const differing = new Set(['date', 'x-request-id'])

/** The API without a client between: for answers that are compared to the letter. */
export type RawApi = Readonly<{
  /** The response of the GraphQL endpoint, or the code of its error. */
  obtain(input: ObtainTokenInput): Promise<ObtainedToken | string>
  get(path: string, token: string): Promise<RawAnswer>
  post(
    path: string,
    token: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<RawAnswer>
}>

type GraphqlAnswer = Readonly<{
  data?: Readonly<{ obtainToken: ObtainedToken }> | null
  errors?: readonly Readonly<{ extensions?: Readonly<{ code?: string }> }>[]
}>

const answerOf = async (response: Response): Promise<RawAnswer> => ({
  status: response.status,
  headers: Object.fromEntries([...response.headers].filter(([name]) => !differing.has(name))),
  text: await response.text(),
})

export const rawApi = (baseUrl: string): RawApi => {
  const send = (path: string, init: RequestInit): Promise<Response> => fetch(baseUrl + path, init)
  const json = { 'Content-Type': 'application/json' }
  return {
    obtain: async (input) => {
      const body = JSON.stringify({ query: obtainTokenMutation, variables: { input } })
      const response = await send(graphqlAddress.path, { method: 'POST', headers: json, body })
      const { data, errors } = (await response.json()) as GraphqlAnswer
      return data?.obtainToken ?? errors?.[0]?.extensions?.code ?? `status ${response.status}`
    },
    get: async (path, token) => answerOf(await send(path, { headers: { Authorization: `Token ${token}` } })),
    post: async (path, token, body, headers = {}) =>
      answerOf(
        await send(path, {
          method: 'POST',
          headers: { ...json, Authorization: `Token ${token}`, ...headers },
          body: JSON.stringify(body),
        }),
      ),
  }
}

import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'

/** A complete response; undefined if the connection ended before. */
export type WholeAnswer =
  | Readonly<{ status: number; connection: string | undefined; body: unknown }>
  | undefined

/** A request that the server works on: it has read the head, and waits for the end of the body. */
export type BegunRequest = Readonly<{
  /** Sends the rest of the body. */
  finish(): void
  answered: Promise<WholeAnswer>
}>

const readWhole = async (response: IncomingMessage): Promise<WholeAnswer> => {
  let text = ''
  for await (const piece of response.setEncoding('utf8')) text += String(piece)
  const { statusCode = 0, headers } = response
  return { status: statusCode, connection: headers.connection, body: JSON.parse(text) as unknown }
}

/** Sends a request except the last byte of its body; resolves when the server has sent 100 Continue. */
export const beginRequest = async (url: string, token: string, body: object): Promise<BegunRequest> => {
  const text = Buffer.from(JSON.stringify(body))
  const sending = request(url, {
    method: 'POST',
    headers: {
      Authorization: `Token ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': text.length,
      Expect: '100-continue',
    },
    agent: new Agent({ keepAlive: true }),
  })
  const answered = once(sending, 'response')
    .then(([response]) => readWhole(response as IncomingMessage))
    .catch(() => undefined)
  sending.flushHeaders()
  await once(sending, 'continue')
  sending.write(text.subarray(0, -1))
  return { finish: () => void sending.end(text.subarray(-1)), answered }
}

/** The same with a request for a token, which needs no credentials in a header. */
export const beginLogin = (address: string): Promise<BegunRequest> =>
  beginRequest(`${address}/v1/graphql/`, 'none', { query: '{ __typename }' })

import type { ExecutionContext } from 'ava'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { listen } from '../../support/http-server.js'

/** A message as a receiver gets it. */
export type Received = Readonly<{ path: string; headers: IncomingHttpHeaders; body: string }>

export type Message = Readonly<{ type: string; timestamp: string; data: Record<string, unknown> }>

/** Answers a message; the request has been read. */
export type Answer = (response: ServerResponse, received: Received) => void

export const withStatus =
  (status: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end()

/** A receiver on this machine whose answer may be changed. */
export const receiver = async (t: ExecutionContext, answer: Answer = withStatus(204)) => {
  const received: Received[] = []
  const state = { answer, underWay: 0, mostUnderWay: 0 }
  const server = createServer((request, response) => {
    state.underWay += 1
    state.mostUnderWay = Math.max(state.mostUnderWay, state.underWay)
    response.once('close', () => (state.underWay -= 1))
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      const message = { path: request.url ?? '', headers: request.headers, body }
      received.push(message)
      state.answer(response, message)
    })
  })
  const port = await listen(t, server)
  return { received, state, url: `http://127.0.0.1:${port}/imports?key=k1` }
}

/** The content that the package of receivers finds in a message; throws where the signature is not that of the secret. */
export const verified = (secret: string, { headers, body }: Received): Message =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as Message

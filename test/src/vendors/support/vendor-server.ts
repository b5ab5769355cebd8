import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { ExecutionContext } from 'ava'
import { VendorFailure, type ClearAnswer, type VendorClient } from '@account-import/adapter-payment-vendor'
import { selfSigned } from '../../support/self-signed.js'

export type VendorServer = Readonly<{
  origin: string
  /** Method and path of every request, in order. */
  requests: readonly string[]
  headers: readonly IncomingHttpHeaders[]
  /** How many connections were made. */
  connections(): number
  stop(): Promise<void>
}>

/** Answers the nth request, counted from 1. */
export type Behaviour = (nth: number, ...exchange: Parameters<RequestListener>) => void

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A vendor on a port of the loopback with a given behaviour. */
export const startVendorServer = async (
  behaviour: Behaviour,
  { tls = false } = {},
): Promise<VendorServer> => {
  const requests: string[] = []
  const headers: IncomingHttpHeaders[] = []
  let connections = 0
  const listener: RequestListener = (request, response) => {
    headers.push(request.headers)
    behaviour(requests.push(`${request.method} ${request.url}`), request, response)
  }
  const server = tls ? createTlsServer(selfSigned, listener) : createServer(listener)
  server.on('connection', () => (connections += 1))
  const port = await listening(server)
  const stop = async (): Promise<void> => {
    server.close()
    server.closeAllConnections()
    if (server.listening) await once(server, 'close')
  }
  const origin = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`
  return { origin, requests, headers, connections: () => connections, stop }
}

/** A vendor that gives this answer to everything until the test ends. */
export const answering = async (
  t: ExecutionContext,
  body: unknown,
  {
    status = 200,
    tls = false,
    headers = {},
  }: Readonly<{ status?: number; tls?: boolean; headers?: object }> = {},
): Promise<VendorServer> => {
  const server = await startVendorServer(
    (_nth, _request, response) => response.writeHead(status, { ...headers }).end(JSON.stringify(body)),
    { tls },
  )
  t.teardown(() => server.stop())
  return server
}

/** The result of one try: the answer, or the kind of the failure. */
export const tryOnce = async (
  client: VendorClient,
  reference: string,
  type = 'CARD',
): Promise<ClearAnswer | string> => {
  try {
    return await client.ask({ reference, type }, AbortSignal.timeout(3000))
  } catch (cause) {
    if (cause instanceof VendorFailure) return cause.kind
    throw cause
  }
}

/** The same in a word. */
export const outcomeOf = async (...tried: Parameters<typeof tryOnce>): Promise<string> => {
  const answer = await tryOnce(...tried)
  return typeof answer === 'string' ? answer : answer._tag
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The response for each mandate; GIRO has no others. */
const mandates: Readonly<Record<string, string>> = {
  'G-1': 'state=signed\naccount=ES9121000418450200051332\ncountry=ES',
  'G-2': 'state=revoked',
  'G-3': 'out of order',
}

/** A stand-in for GIRO on a free port of the loopback. Only the member 4711 may ask. */
export const startPracticeGiro = async (): Promise<Readonly<{ origin: string; stop(): void }>> => {
  const server = createServer(({ url = '' }, response) => {
    const [, member, reference = ''] = /^\/members\/(\w+)\/mandates\/(.+)$/.exec(url) ?? []
    if (member === '4711') response.end(mandates[reference] ?? 'state=unknown')
    else response.writeHead(403).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stop = (): void => {
    server.close()
    server.closeAllConnections()
  }
  return { origin: `http://127.0.0.1:${port}`, stop }
}

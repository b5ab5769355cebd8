import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { ExecutionContext } from 'ava'

/** The same service behind another address, which counts the connections to it. */
export const countedConnections = async (
  t: ExecutionContext,
  target: string,
): Promise<Readonly<{ baseUrl: string; connections: () => number }>> => {
  const { hostname, port } = new URL(target)
  const sockets: Socket[] = []
  const server = createServer((client) => {
    const service = connect(Number(port), hostname)
    sockets.push(client, service)
    for (const [from, to] of [
      [client, service],
      [service, client],
    ] as const)
      from.on('error', () => to.destroy()).pipe(to)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${address.port}`, connections: () => sockets.length / 2 }
}

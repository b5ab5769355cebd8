import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A port of the loopback address that leads to a socket file. */
export type SocketDoor = Readonly<{ port: number; stop(): Promise<void> }>

/** Opens a way from a free port to a server that can be reached by its socket file alone. */
export const openSocketDoor = async (path: string): Promise<SocketDoor> => {
  const open = new Set<Socket>()
  const server = createServer((outside) => {
    const inside = connect(path)
    const both = [outside, inside]
    for (const socket of both) {
      open.add(socket)
      socket.setNoDelay(true)
      // What happens to one end happens to the other: each of them says by its own error that it is gone.
      socket.on('error', () => undefined)
      socket.on('close', () => {
        open.delete(socket)
        for (const each of both) each.destroy()
      })
    }
    outside.pipe(inside).pipe(outside)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

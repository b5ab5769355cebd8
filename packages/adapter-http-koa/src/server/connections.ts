import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** What is remembered of a connection. */
export type Connection = {
  /** Answers that are owed. */
  readonly owed: Set<ServerResponse>
  /** The latest one of them, or of a request whose body is still coming although it was answered. */
  latest: ServerResponse | undefined
  /** An answer that ends the connection is on its way: nothing more that comes is looked at. */
  isEnding: boolean
  /** How much its client had taken when it was last found to take its time. */
  taken: number | undefined
}

/** The answer that what comes next may belong to: none where the latest one was given, and its request came whole since. */
export const latestOf = ({ latest }: Connection): ServerResponse | undefined =>
  latest !== undefined && latest.closed && latest.req.complete ? undefined : latest

/**
 * Follows the connections of a server. Node tells only the answer whose turn it is that its connection is gone; the others that
 * are owed are told here, so that whoever waits for their `close` does not wait for ever.
 */
export const connectionsOf = (server: Server): ((socket: Duplex) => Connection) => {
  const connections = new WeakMap<Duplex, Connection>()
  const connectionOf = (socket: Duplex): Connection => {
    const known = connections.get(socket)
    if (known !== undefined) return known
    const connection = {
      owed: new Set<ServerResponse>(),
      latest: undefined,
      isEnding: false,
      taken: undefined,
    }
    connections.set(socket, connection)
    return connection
  }
  server.on('connection', (socket: Duplex) => {
    const { owed } = connectionOf(socket)
    socket.once('close', () =>
      setImmediate(() => {
        for (const response of owed) {
          response.destroy()
          response.emit('close')
        }
      }),
    )
  })
  return connectionOf
}

import { readFileSync } from 'node:fs'
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Linux's table of connections, by the ports of both ends: bytes that the client has not acknowledged. */
type Held = ReadonlyMap<string, number>

/** Columns: number, local address, remote address, state, bytes to be sent:received, all in hexadecimal. */
const line = /^ *\d+: [\dA-F]+:([\dA-F]{4}) [\dA-F]+:([\dA-F]{4}) [\dA-F]{2} ([\dA-F]{8}):/gm

const textOf = (table: string): string => {
  try {
    return readFileSync(table, 'latin1')
  } catch {
    // Another system, or one without IPv6.
    return ''
  }
}

const read = (): Held => {
  const held = new Map<string, number>()
  const text = `${textOf('/proc/self/net/tcp')}\n${textOf('/proc/self/net/tcp6')}`
  for (const [, local = '', remote = '', bytes = ''] of text.matchAll(line)) {
    const ports = `${parseInt(local, 16)} ${parseInt(remote, 16)}`
    held.set(ports, (held.get(ports) ?? 0) + parseInt(bytes, 16))
  }
  return held
}

/** The tables are long where there are many connections, and many may be looked at in the same moment. */
const keepMilliseconds = 1000

let latest: Readonly<{ held: Held; at: number }> | undefined

const heldNow = (): Held => {
  const now = performance.now()
  if (latest === undefined || now - latest.at > keepMilliseconds) latest = { held: read(), at: now }
  return latest.held
}

/**
 * How much of what was sent the client has taken: a number that grows while it reads. The system takes some MB of an
 * answer for itself, and says nothing until a third of them is gone, which takes a slow reader minutes; so it is asked for
 * what it holds. Where it does not say, what it holds counts as taken.
 */
export const bytesTaken = ({ bytesWritten, writableLength, localPort, remotePort }: Socket): number =>
  bytesWritten - writableLength - (heldNow().get(`${localPort} ${remotePort}`) ?? 0)

/** The state of a connection. */
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

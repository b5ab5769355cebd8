import type { Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartError } from '../start-error.js'

// Clients cannot connect to addresses that mean "every interface".
const reachable: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

/** The address of the server for clients on this machine, such as `http://127.0.0.1:8080`. */
const serverAddress = ({ address, family, port }: AddressInfo): string => {
  const host = reachable[address] ?? (family === 'IPv6' ? `[${address}]` : address)
  return `http://${host}:${port}`
}

/** The variable that names the port. */
type PortVariable = 'PORT' | 'METRICS_PORT'

const advice = (variable: PortVariable): Readonly<Record<string, string>> => ({
  EADDRINUSE: `another program listens there already. Stop it, or set ${variable} to a free port`,
  EACCES: `this user may not listen there. Set ${variable} to 1024 or more`,
  EADDRNOTAVAIL: 'this machine does not have that address. Correct HOST',
  ENOTFOUND: 'the name is not known. Correct HOST',
  EAI_AGAIN: 'the name cannot be resolved now. Correct HOST',
})

/** The queue of connections that wait to be accepted; the system may have a lower limit (net.core.somaxconn). */
const mostComing = 4096

const listenError = (
  cause: NodeJS.ErrnoException,
  host: string,
  port: number,
  variable: PortVariable,
): StartError => {
  const reason = advice(variable)[cause.code ?? ''] ?? `the system reports ${cause.code ?? cause.name}`
  return new StartError('address_not_usable', `Cannot listen on ${host}, port ${port}: ${reason}.`, cause)
}

/** Begins to accept connections; answers the address. Rejects with `StartError`. */
export const listen = (
  server: Server,
  host: string,
  port: number,
  variable: PortVariable = 'PORT',
): Promise<string> =>
  new Promise((resolve, reject) => {
    const refuse = (cause: NodeJS.ErrnoException): void => reject(listenError(cause, host, port, variable))
    server.once('error', refuse)
    server.listen({ host, port, backlog: mostComing }, () => {
      server.off('error', refuse)
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('the server has no TCP address'))
      else resolve(serverAddress(address))
    })
  })

/** Stops a server without aborting responses. */
type Drain = Readonly<{
  /**
   * Accepts no more connections, waits for running requests, and resolves when all connections are closed. Aborts
   * requests that still run after `milliseconds`.
   */
  stop(milliseconds: number): Promise<void>
}>

const endConnection = (response: ServerResponse): void => {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}

/** Tracks running requests. Call it before the server listens. */
export const drainable = (server: Server): Drain => {
  const running = new Set<ServerResponse>()
  let stopping = false
  // Before the listener of the application, so that the header is set before the response.
  server.prependListener('request', (_, response) => {
    running.add(response)
    if (stopping) endConnection(response)
    response.once('close', () => {
      running.delete(response)
      // A keep-alive connection becomes idle after this event.
      if (stopping) setImmediate(() => server.closeIdleConnections())
    })
  })
  return {
    stop: (milliseconds) =>
      new Promise((resolve, reject) => {
        stopping = true
        const cut = setTimeout(() => server.closeAllConnections(), milliseconds)
        server.close((error) => {
          clearTimeout(cut)
          if (error === undefined) resolve()
          else reject(error)
        })
        running.forEach(endConnection)
      }),
  }
}

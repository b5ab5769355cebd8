import type { Server } from 'node:http'
import { StartError } from '../start-error.js'
import { serverAddress } from './server-address.js'

/** The variable that names the port. */
type PortVariable = 'PORT' | 'METRICS_PORT'

const advice = (variable: PortVariable): Readonly<Record<string, string>> => ({
  EADDRINUSE: `another program listens there already. Stop it, or set ${variable} to a free port`,
  EACCES: `this user may not listen there. Set ${variable} to 1024 or more`,
  EADDRNOTAVAIL: 'this machine does not have that address. Correct HOST',
  ENOTFOUND: 'the name is not known. Correct HOST',
  EAI_AGAIN: 'the name cannot be resolved now. Correct HOST',
})

/** Connections that may come while the server does something else; the system may have less room (net.core.somaxconn). */
const mostComing = 4096

const listenError = (
  cause: NodeJS.ErrnoException,
  host: string,
  port: number,
  variable: PortVariable,
): StartError => {
  const reason = advice(variable)[cause.code ?? ''] ?? `the system says ${cause.code ?? cause.name}`
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

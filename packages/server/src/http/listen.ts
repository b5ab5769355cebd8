import type { Server } from 'node:http'
import { StartError } from '../start-error.js'
import { serverAddress } from './server-address.js'

const advice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there already. Stop it, or set PORT to a free port',
  EACCES: 'this user may not listen there. Set PORT to 1024 or more',
  EADDRNOTAVAIL: 'this machine does not have that address. Correct HOST',
  ENOTFOUND: 'the name is not known. Correct HOST',
  EAI_AGAIN: 'the name cannot be resolved now. Correct HOST',
}

const listenError = (cause: NodeJS.ErrnoException, host: string, port: number): StartError => {
  const reason = advice[cause.code ?? ''] ?? `the system says ${cause.code ?? cause.name}`
  return new StartError('address_not_usable', `Cannot listen on ${host}, port ${port}: ${reason}.`, cause)
}

/** Begins to accept connections; answers the address. Rejects with `StartError`. */
export const listen = (server: Server, host: string, port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const refuse = (cause: NodeJS.ErrnoException): void => reject(listenError(cause, host, port))
    server.once('error', refuse)
    server.listen({ host, port }, () => {
      server.off('error', refuse)
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('the server has no TCP address'))
      else resolve(serverAddress(address))
    })
  })

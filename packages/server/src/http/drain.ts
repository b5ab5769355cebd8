import type { Server, ServerResponse } from 'node:http'

/** Ends a server without cutting off answers. */
export type Drain = Readonly<{
  /**
   * Accepts no more connections, lets running requests finish, and resolves when all connections are closed;
   * what still runs after `milliseconds` is cut off.
   */
  stop(milliseconds: number): Promise<void>
}>

const endConnection = (response: ServerResponse): void => {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}

/** To be called before the server listens: it follows which requests run. */
export const drainable = (server: Server): Drain => {
  const running = new Set<ServerResponse>()
  let stopping = false
  // In front of the application, so that the header is set before it answers.
  server.prependListener('request', (_, response) => {
    running.add(response)
    if (stopping) endConnection(response)
    response.once('close', () => {
      running.delete(response)
      // A kept-alive connection is idle once its answer has ended, not while it ends.
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

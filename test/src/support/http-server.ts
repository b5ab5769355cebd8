import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ExecutionContext } from 'ava'

/** The port on which the listener, or the server that is given, answers until the test has ended. */
export const listen = async (t: ExecutionContext, given: RequestListener | Server): Promise<number> => {
  const server = typeof given === 'function' ? createServer(given) : given
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return (server.address() as AddressInfo).port
}

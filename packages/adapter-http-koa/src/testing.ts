import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHttpServer, type HttpServerOptions, type Listener } from './http-server.js'

export { type Cut, cutLines, movingBody } from './body/lines-body.js'
export {
  accept,
  authenticate,
  decodeAddress,
  limit,
  noSteps,
  readBody,
  readIdempotencyKey,
  readImportRun,
  type Received,
} from './mount.js'
export { BodyPool, KeyLimits } from './limits.js'

type Listening = Readonly<{
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  baseUrl: string
  port: number
  /** Ends all connections and stops listening. */
  close: () => Promise<void>
}>

const closed = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)))
    server.closeAllConnections()
  })

/** Serves an application on a free port of the loopback address, for tests. */
export const listen = async (
  app: Readonly<{ callback: () => Listener }>,
  options: HttpServerOptions = {},
): Promise<Listening> => {
  const server = createHttpServer(app.callback(), options)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}`, port, close: () => closed(server) }
}

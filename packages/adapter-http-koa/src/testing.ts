import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHttpServer, type HttpServerOptions, type Listener } from './server/create-http-server.js'

export { type Cut, cutLines } from './body/cut-lines.js'
export { movingBody } from './body/moving-body.js'
export * from './endpoint-steps.js'
export { BodyPool } from './limits/body-pool.js'
export { KeyLimits } from './limits/key-limits.js'
export { noSteps } from './steps.js'

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

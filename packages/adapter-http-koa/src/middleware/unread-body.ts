import type { IncomingMessage } from 'node:http'
import type { AppContext } from '../context.js'

const lingerMilliseconds = 10_000

/** Reads on and throws away, so that a client that is still sending gets its answer; but not for long. */
const drain = (request: IncomingMessage): void => {
  const timer = setTimeout(() => request.socket.destroy(), lingerMilliseconds)
  timer.unref()
  request.once('close', () => clearTimeout(timer))
  request.resume()
}

/** Discards a body that was refused before it was read whole, so that it blocks neither connection nor memory. */
export const discardUnreadBody = ({ req, res }: AppContext): void => {
  res.once('finish', () => {
    if (!req.complete) drain(req)
  })
}

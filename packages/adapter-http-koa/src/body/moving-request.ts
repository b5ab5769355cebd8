import type { IncomingMessage } from 'node:http'

/** Bodies that may take as long as they like to arrive, as long as they move. */
const moving = new WeakSet<IncomingMessage>()

/** Whether the limit of time for a whole request does not hold for this one. */
export const isMoving = (request: IncomingMessage): boolean => moving.has(request)

const silent = (): Error => Object.assign(new Error('the body stopped coming'), { code: 'ECONNABORTED' })

/**
 * The chunks of a body. There is no limit of time for the whole of it; but when no byte has come for so long while the
 * next chunk is waited for, the connection ends. Time in which nobody asks for the next chunk does not count.
 */
export async function* movingBody(
  request: IncomingMessage,
  silenceMilliseconds: number,
): AsyncGenerator<Buffer> {
  moving.add(request)
  let isAwaited = true
  // A stream that is given up between two chunks may never say so: its timer ends with the connection, and keeps no process alive.
  const timer = setTimeout(() => {
    if (isAwaited) request.destroy(silent())
    else if (!request.socket.destroyed) timer.refresh()
  }, silenceMilliseconds).unref()
  try {
    // A route that reads no further may still answer; later bytes are discarded then.
    const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
    for await (const chunk of chunks) {
      isAwaited = false
      yield chunk
      isAwaited = true
      timer.refresh()
    }
  } finally {
    clearTimeout(timer)
  }
}

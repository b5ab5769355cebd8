import type { IncomingMessage } from 'node:http'

/** Requests without a time-out for the whole body, as long as bytes arrive. */
const moving = new WeakSet<IncomingMessage>()

/** Whether the request is exempt from the time-out of whole requests. */
export const isMoving = (request: IncomingMessage): boolean => moving.has(request)

const silent = (): Error => Object.assign(new Error('the body stopped coming'), { code: 'ECONNABORTED' })

/**
 * The chunks of a body, without a time-out for the whole body. The connection ends when the next chunk has been awaited for
 * `silenceMilliseconds` and no byte has arrived. Time in which no reader awaits a chunk does not count.
 */
export async function* movingBody(
  request: IncomingMessage,
  silenceMilliseconds: number,
): AsyncGenerator<Buffer> {
  moving.add(request)
  let isAwaited = true
  // A stream abandoned between two chunks may never end, so the timer ends with the connection, and keeps no process alive.
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

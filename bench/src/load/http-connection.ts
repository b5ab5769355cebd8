import { once } from 'node:events'
import { connect } from 'node:net'

export type Answer = Readonly<{ status: number; body: string }>

/** A kept-alive connection with one request on its way; `exchange` rejects when it breaks or an answer has no length. */
export type HttpConnection = Readonly<{ exchange(request: Buffer): Promise<Answer>; close(): void }>

const endOfHead = '\r\n\r\n'

/** The answer, or undefined while a part of it is missing. */
const answerIn = (bytes: Buffer): Answer | undefined => {
  const bodyAt = bytes.indexOf(endOfHead)
  if (bodyAt < 0) return undefined
  const head = bytes.toString('latin1', 0, bodyAt)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`An answer without a length: ${head}`)
  const start = bodyAt + endOfHead.length
  if (bytes.length < start + Number(length)) return undefined
  return { status: Number(head.slice(9, 12)), body: bytes.toString('utf8', start) }
}

/**
 * Opens a connection of the load generator. It speaks just enough HTTP/1.1 for the servers measured here: a general
 * client would take a good part of the machine away from them.
 */
export const openHttpConnection = async (port: number): Promise<HttpConnection> => {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  await once(socket, 'connect')
  let received: Buffer = Buffer.alloc(0)
  let waiting: Readonly<{ resolve(answer: Answer): void; reject(cause: unknown): void }> | undefined
  const fail = (cause: unknown): void => {
    waiting?.reject(cause)
    socket.destroy()
  }
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('The server closed the connection')))
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    try {
      const answer = answerIn(received)
      if (answer === undefined) return
      received = Buffer.alloc(0)
      waiting?.resolve(answer)
    } catch (cause) {
      fail(cause)
    }
  })
  return {
    exchange: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

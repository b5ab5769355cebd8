import { connect } from 'node:net'
import type { Socket } from 'node:net'

/** Writes the parts to a connection one after the other, and returns all received bytes until it ends. */
export const rawExchange = (
  port: number,
  parts: readonly (string | Uint8Array)[],
  act?: (socket: Socket) => void,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.setEncoding('latin1')
    socket.setTimeout(60_000, () => socket.destroy(new Error(`nothing more came after: ${received}`)))
    socket.on('data', (text: string) => {
      received += text
    })
    socket.once('error', (error) => (received === '' ? reject(error) : resolve(received)))
    socket.once('close', () => resolve(received))
    socket.once('connect', () => {
      for (const part of parts) socket.write(part)
      act?.(socket)
    })
  })

/** The statuses of the answers in raw text. */
export const statusesIn = (text: string): readonly number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

/** The head of a POST of JSON with a good token, as text. */
export const postHead = (path: string, ...headers: readonly string[]): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    'Authorization: Token good',
    'Content-Type: application/json',
    ...headers,
  ]
    .join('\r\n')
    .concat('\r\n\r\n')

/** The JSON bodies in raw text that have our form. */
export const problemCodesIn = (text: string): readonly string[] =>
  [...text.matchAll(/^\{"detail":"[^"]*","code":"(\w+)","errors":\[\]/gm)].map(([, code = '']) => code)

import { connect } from 'node:net'

/** A request to obtain a token whose body is sent in two halves, to be in flight for as long as a test needs. */
export type HalfRequest = Readonly<{
  /** Sends the second half and answers all that came back until the connection ended. */
  finish(): Promise<string>
  ended: Promise<string>
}>

/** Resolves when the first half has been written to the server. */
export const halfRequest = async (address: string): Promise<HalfRequest> => {
  const { hostname, port } = new URL(address)
  const body = JSON.stringify({ query: '{ __typename }' })
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk))
  const ended = new Promise<string>((resolve) => {
    // A connection that is cut off ends with an error first; what had come by then is what counts.
    socket.once('error', () => undefined)
    socket.once('close', () => resolve(answer))
  })
  const head = [
    'POST /v1/graphql/ HTTP/1.1',
    `Host: ${hostname}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    '',
  ].join('\r\n')
  await new Promise<void>((resolve, reject) =>
    socket.write(head + body.slice(0, 5), (error) => (error ? reject(error) : resolve())),
  )
  return {
    ended,
    finish: () => {
      socket.write(body.slice(5))
      return ended
    },
  }
}

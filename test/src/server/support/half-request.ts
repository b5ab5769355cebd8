import { connect } from 'node:net'
import { untilSaid } from '../../support/until-said.js'

/** A request to obtain a token whose body is sent in two halves, to be in flight for as long as a test needs. */
export type HalfRequest = Readonly<{
  /** Sends the second half and answers all that came back until the connection ended. */
  finish(): Promise<string>
  ended: Promise<string>
}>

const goesOn = 'HTTP/1.1 100 Continue\r\n\r\n'

/** Resolves when the server has said that it works on the request, and the first half of its body has been written. */
export const halfRequest = async (address: string): Promise<HalfRequest> => {
  const { hostname, port } = new URL(address)
  const body = JSON.stringify({ query: '{ __typename }' })
  const socket = connect(Number(port), hostname)
  let answer = ''
  const begun = untilSaid(socket.setEncoding('utf8'), goesOn)
  socket.on('data', (chunk: string) => (answer += chunk))
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
    'Expect: 100-continue',
    '',
    '',
  ].join('\r\n')
  socket.write(head)
  await begun
  answer = answer.slice(goesOn.length)
  await new Promise<void>((resolve, reject) =>
    socket.write(body.slice(0, 5), (error) => (error ? reject(error) : resolve())),
  )
  return {
    ended,
    finish: () => {
      socket.write(body.slice(5))
      return ended
    },
  }
}

import type { ExecutionContext } from 'ava'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import PostalMime, { type Email } from 'postal-mime'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

/** A message that the server took over. */
export type Received = Readonly<{ from: string; to: readonly string[]; email: Email; raw: string }>

/** The server's replies at each step, if it refuses: a code such as 451. */
export type Replies = Readonly<{
  mail?(address: string): number | undefined
  recipient?(address: string): number | undefined
  /** `drop`: takes the message over, and ends the connection without a word. */
  data?(received: Received): number | 'drop' | undefined | Promise<number | 'drop' | undefined>
}>

const replied = (code: number | undefined): Error | null =>
  code === undefined ? null : Object.assign(new Error('as the test says'), { responseCode: code })

const receivedFrom = async (raw: string, session: SMTPServerSession): Promise<Received> => ({
  from: session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address,
  to: session.envelope.rcptTo.map(({ address }) => address),
  email: await PostalMime.parse(raw),
  raw,
})

/** A real SMTP server on a free port of the loopback address; without TLS and login unless the options say so. */
export const startSmtpServer = async (replies: Replies = {}, options: SMTPServerOptions = {}, port = 0) => {
  const received: Received[] = []
  let connections = 0
  const takeOver = async (
    stream: Readable,
    session: SMTPServerSession,
    done: (error: Error | null) => void,
  ): Promise<void> => {
    try {
      const message = await receivedFrom((await buffer(stream)).toString(), session)
      const reply = await replies.data?.(message)
      if (reply === undefined || reply === 'drop') received.push(message)
      if (reply === 'drop') dropConnections()
      else done(replied(reply))
    } catch (cause) {
      // The client disconnected within its message.
      done(cause as Error)
    }
  }
  const server = new SMTPServer({
    logger: false,
    disabledCommands: ['STARTTLS', 'AUTH'],
    authOptional: true,
    disableReverseLookup: true,
    onConnect: (_session, done) => {
      connections += 1
      done()
    },
    onMailFrom: ({ address }, _session, done) => done(replied(replies.mail?.(address))),
    onRcptTo: ({ address }, _session, done) => done(replied(replies.recipient?.(address))),
    onData: (stream, session, done) => void takeOver(stream, session, done),
    ...options,
  })
  const dropConnections = (): void => {
    for (const connection of server.connections) connection._socket.destroy()
  }
  /** Ends every open connection, as a restarted server does; resolves when the clients have received that. */
  const endConnections = async (): Promise<void> => {
    const sockets = [...server.connections].map((connection) => connection._socket)
    // The server's end is sent first, and the client's end follows when it has received that.
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve).end())))
  }
  // Tests disconnect clients within a message.
  server.on('error', () => undefined)
  const listening = server.listen(port, '127.0.0.1')
  await once(listening, 'listening')
  return {
    port: (listening.address() as AddressInfo).port,
    received: received as readonly Received[],
    /** Connections that were greeted. */
    connections: () => connections,
    endConnections,
    close: () =>
      new Promise<void>((resolve) => {
        dropConnections()
        server.close(() => resolve())
      }),
  }
}

export type SmtpTestServer = Awaited<ReturnType<typeof startSmtpServer>>

/** The same until the test ends. */
export const smtpServerFor = async (
  t: ExecutionContext,
  ...options: Parameters<typeof startSmtpServer>
): Promise<SmtpTestServer> => {
  const server = await startSmtpServer(...options)
  t.teardown(() => server.close())
  return server
}

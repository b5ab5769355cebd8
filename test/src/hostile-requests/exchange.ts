import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'

/** A header as it is sent: names may repeat. */
export type Header = readonly [name: string, value: string]

/** A request as it goes over the wire. */
export type Sent = Readonly<{
  method: string
  /** As it stands in the request line. */
  target: string
  headers: readonly Header[]
  body?: Uint8Array
  /** These bytes are sent in place of a request in good form; the rest says how the answer is to be read. */
  raw?: Uint8Array
}>

/** What came back. */
export type Answer = Readonly<{
  status: number
  /** Names in lower case, as they came. */
  headers: readonly Header[]
  body: Buffer
}>

/** Why there is no answer. */
export type NoAnswer = Readonly<{ silent: 'hangs' | 'cut off'; why: string }>

const pairsOf = (flat: readonly string[]): readonly Header[] =>
  flat.flatMap((name, i) => (i % 2 === 0 ? [[name.toLowerCase(), flat[i + 1] ?? ''] as const] : []))

/** A connection on which these bytes go out, and nothing of what Node would write for a request. */
const rawConnection = (port: number, bytes: Uint8Array): Socket => {
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  const swallow = (...given: readonly unknown[]): boolean => {
    const done = given.findLast((each) => typeof each === 'function') as (() => void) | undefined
    done?.()
    return true
  }
  return Object.assign(socket, { write: swallow })
}

const begun = (port: number, agent: Agent, { method, target, headers, body, raw }: Sent): ClientRequest => {
  if (raw !== undefined)
    return request({
      method,
      path: '/',
      createConnection: () => rawConnection(port, raw),
    })
  const length: readonly string[] =
    body === undefined || headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name))
      ? []
      : ['Content-Length', String(body.length)]
  const flat = [...headers.flat(), ...length]
  return request({ host: '127.0.0.1', port, method, path: target, headers: flat, agent, setHost: false })
}

const answerTo = (asked: ClientRequest, body: Uint8Array | undefined): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const read = (response: IncomingMessage): void => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: pairsOf(response.rawHeaders),
          body: Buffer.concat(chunks),
        }),
      )
    }
    asked.once('response', read)
    // It may break off once more after the answer has come.
    asked.on('error', reject)
    asked.end(body)
  })

/** Sends requests to a service on this machine. */
export class Exchange {
  private readonly port: number
  private readonly patience: number
  private readonly agent = new Agent({ keepAlive: true })

  /** `patienceMilliseconds`: after so long without an answer the service hangs. */
  constructor(port: number, patienceMilliseconds: number) {
    this.port = port
    this.patience = patienceMilliseconds
  }

  async send(sent: Sent): Promise<Answer | NoAnswer> {
    const asked = begun(this.port, this.agent, sent)
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      asked.destroy(new Error('no answer in time'))
    }, this.patience)
    try {
      return await answerTo(asked, sent.raw === undefined ? sent.body : undefined)
    } catch (cause) {
      return { silent: isLate ? 'hangs' : 'cut off', why: String(cause) }
    } finally {
      clearTimeout(timer)
      if (sent.raw !== undefined) asked.destroy()
    }
  }

  close(): void {
    this.agent.destroy()
  }
}

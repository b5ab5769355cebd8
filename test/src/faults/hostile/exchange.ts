import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'

/** A header as it is sent: names may repeat. */
export type Header = readonly [name: string, value: string]

/** A request as it is sent; the target as in the request line. */
type Sent = Readonly<{
  method: string
  target: string
  headers: readonly Header[]
  body?: Uint8Array
  /** These bytes replace a request in good form; the other fields decide how the response is read. */
  raw?: Uint8Array
}>

/** The response: names of headers in lower case, in their order. */
export type Answer = Readonly<{ status: number; headers: readonly Header[]; body: Buffer }>

/** The reason for no response. */
export type NoAnswer = Readonly<{ silent: 'hangs' | 'cut off'; why: string }>

/** A connection that sends these bytes only, without the bytes that Node adds to a request. */
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
    return request({ method, path: '/', createConnection: () => rawConnection(port, raw) })
  const saysLength = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name))
  const length = body === undefined || saysLength ? [] : ['Content-Length', String(body.length)]
  const flat = [...headers.flat(), ...length]
  return request({ host: '127.0.0.1', port, method, path: target, headers: flat, agent, setHost: false })
}

const answerTo = (asked: ClientRequest, body: Uint8Array | undefined): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const read = (response: IncomingMessage): void => {
      const { statusCode: status = 0, rawHeaders } = response
      const headers = rawHeaders.flatMap((name, i): readonly Header[] =>
        i % 2 === 0 ? [[name.toLowerCase(), rawHeaders[i + 1] ?? '']] : [],
      )
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => resolve({ status, headers, body: Buffer.concat(chunks) }))
    }
    asked.once('response', read)
    // The connection may break again after the response.
    asked.on('error', reject)
    asked.end(body)
  })

/** Sends requests to a service on this machine, which hangs if it has not answered in `patienceMilliseconds`. */
export type Exchange = Readonly<{ send(sent: Sent): Promise<Answer | NoAnswer>; close(): void }>

export const exchangeWith = (port: number, patienceMilliseconds: number): Exchange => {
  const agent = new Agent({ keepAlive: true })
  const send = async (sent: Sent): Promise<Answer | NoAnswer> => {
    const asked = begun(port, agent, sent)
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      asked.destroy(new Error('no answer in time'))
    }, patienceMilliseconds)
    try {
      return await answerTo(asked, sent.raw === undefined ? sent.body : undefined)
    } catch (cause) {
      return { silent: isLate ? 'hangs' : 'cut off', why: String(cause) }
    } finally {
      clearTimeout(timer)
      if (sent.raw !== undefined) asked.destroy()
    }
  }
  return { send, close: () => agent.destroy() }
}

/** A part of sent values that the service must never log or send by itself. */
export const canary = 'c4n4ry'

/** A request, and the known properties of its response. */
export type Request = Readonly<{
  sent: Sent
  /** The value of its body, if that is valid JSON and is sent unchanged. */
  value?: Readonly<{ json: unknown }>
  /** A stream of lines is cut where its packed bytes are damaged. */
  mayBeCut?: true
  /** The number of lines of the response, if it has one for each line of the body. */
  lineCount?: number
  /** The statuses that it may be answered with, where that is certain. */
  expected?: readonly number[]
}>

/** The set-up of the service before the first request. Codes and secrets differ from run to run. */
export type Facts = Readonly<{
  /** Requests of one lane must not meet those of another, so each has its own. */
  suppliers: readonly string[]
  /** A supplier of the same organisation, paused. */
  pausedSupplier: string
  foreignSupplier: string
  team: string
  apiKey: string
  /** Each allows one scope, but `full` all; `foreign` is another organisation's. */
  tokens: Readonly<Record<'full' | 'foreign' | 'validate' | 'read', string>>
}>

/** The organisation and account of the requests of a sequence. */
export type Account = Facts & Readonly<{ supplier: string; number: string }>

/** The account of this number of the first supplier. */
export const accountOf = (facts: Facts, number: string): Account => ({
  ...facts,
  supplier: facts.suppliers[0] ?? '',
  number,
})

/** Plans that become requests once their subjects exist: one after the other, those of one list at the same moment. */
export type Plan = (account: Account) => readonly (readonly Request[])[]

/** A body, and its known properties. */
export type BodyFor = (
  account: Account,
) => Pick<Request, 'value' | 'lineCount'> & Readonly<{ bytes: Uint8Array }>

/** Texts that are sent: many lines of many, each with bars between. */
export const texts = (...lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => line.split('|'))

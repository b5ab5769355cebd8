import '../children/end-with-parent.js'
import { once } from 'node:events'
import { connect } from 'node:net'
import { bodyTemplates, howManyFit, stamped } from '../workload/bodies.js'
import { names, paths, type SingleVerb, type Verb } from '../workload/kinds.js'
import { answerJobs, closedLoop, type LoadJob, type LoadResult, type Outcome } from './jobs.js'

// The load generator, a process of its own. It sends requests as fast as the answers come; a job fails when a
// connection breaks.

type Answer = Readonly<{ status: number; body: string }>

/** A kept-alive connection with one request on its way; `exchange` rejects when it breaks or an answer has no length. */
type HttpConnection = Readonly<{ exchange(request: Buffer): Promise<Answer>; close(): void }>

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
const openHttpConnection = async (port: number): Promise<HttpConnection> => {
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

const requestTemplate = (verb: SingleVerb, token: string, body: string): string =>
  [
    `POST ${paths[verb]} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Connection: keep-alive',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Authorization: Bearer ${token}`,
    '',
    body,
  ].join('\r\n')

const sendSingle = async (job: LoadJob, verb: SingleVerb): Promise<LoadResult> => {
  const bodies = bodyTemplates(verb, job.size)
  const requestFor = stamped(bodies.map((body) => requestTemplate(verb, job.token, body)))
  const connections = await Promise.all(
    Array.from({ length: job.clients }, () => openHttpConnection(job.port)),
  )
  try {
    return await closedLoop(job, 1, async (client, account) => {
      const connection = connections[client]
      if (connection === undefined) throw new Error(`There is no connection for client ${client}`)
      const { status, body } = await connection.exchange(requestFor(account))
      return { statuses: { [status]: 1 }, failure: status === 200 || status === 201 ? undefined : body }
    })
  } finally {
    for (const connection of connections) connection.close()
  }
}

type Line = Readonly<{ status?: number; summary?: object }>

/** Counts the lines of an answer while they come; one that was cut has no summary, and that is a failure too. */
const bulkOutcome = async (response: Response): Promise<Outcome> => {
  if (response.status !== 200 || response.body === null)
    return { statuses: { [response.status]: 1 }, failure: await response.text() }
  const statuses: Record<string, number> = {}
  let failure: string | undefined = 'The answer was cut'
  let refused: string | undefined
  let rest = ''
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const { status, summary } = JSON.parse(line) as Line
      if (summary !== undefined) failure = undefined
      if (status === undefined) continue
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status >= 300) refused ??= line
    }
  }
  return { statuses, failure: failure ?? refused }
}

const post = async (job: LoadJob, verb: Verb, type: string, body: Buffer | string): Promise<Outcome> =>
  bulkOutcome(
    await fetch(`http://127.0.0.1:${job.port}${paths[verb]}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${job.token}`, 'Content-Type': type },
      body,
    }),
  )

// As much in one request as `account-import import` sends.
const mostBytes = 5_000_000
const mostLines = 1000
const lineEnd = Buffer.from('\n')

const sendBulkStage = (job: LoadJob): Promise<LoadResult> => {
  const templates = bodyTemplates('stage', job.size)
  const bodyFor = stamped(templates)
  return closedLoop(job, howManyFit(templates, mostBytes, mostLines), (_, first, accounts) => {
    const lines = Array.from({ length: accounts }, (_line, index) => [bodyFor(first + index), lineEnd])
    return post(job, 'bulk-stage', 'application/x-ndjson', Buffer.concat(lines.flat()))
  })
}

/** Has everything created that is staged: the service takes what comes next, whoever asks. */
const sendBulkProcess = (job: LoadJob): Promise<LoadResult> => {
  const body = JSON.stringify({ import_supplier_code: names.supplier, operations_team_name: names.team })
  return closedLoop(job, Math.ceil(job.accounts / job.clients), () =>
    post(job, 'bulk-process', 'application/json', body),
  )
}

answerJobs((job) => {
  if (job.verb === 'bulk-stage') return sendBulkStage(job)
  return job.verb === 'bulk-process' ? sendBulkProcess(job) : sendSingle(job, job.verb)
})

import '../servers/end-with-parent.js'
import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { paths } from '../workload/requests.js'
import { addTransactions } from './transactions.js'
import { openDatabase } from './database.js'
import { processAccount } from './process.js'
import type { Reply } from './reply.js'
import { stage } from './stage.js'

// The least that a server can do: it writes the rows to the database by hand-written SQL, without validation or limits.

const setting = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}

const authorization = Buffer.from(`Token ${setting('FLOOR_TOKEN')}`)
const inTransaction = openDatabase(setting('FLOOR_DATABASE_URL'), Number(setting('FLOOR_POOL')))

const actions = new Map([
  [paths.stage, stage],
  [paths.process, processAccount],
  [paths.transactions, addTransactions],
])

const mayPass = (request: IncomingMessage): boolean => {
  const sent = Buffer.from(request.headers.authorization ?? '')
  return sent.length === authorization.length && timingSafeEqual(sent, authorization)
}

const bodyOf = (request: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => resolve(Buffer.concat(chunks).toString()))
    request.on('error', reject)
  })

const answer = (response: ServerResponse, { status, body }: Reply): void => {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  })
  response.end(text)
}

const replyTo = async (request: IncomingMessage): Promise<Reply> => {
  const action = actions.get(request.url ?? '')
  if (action === undefined || request.method !== 'POST') return { status: 404, body: { detail: 'Not found' } }
  if (!mayPass(request)) return { status: 401, body: { detail: 'Not authenticated' } }
  return action(inTransaction, await bodyOf(request))
}

const server = createServer((request, response) => {
  replyTo(request).then(
    (reply) => answer(response, reply),
    (cause: unknown) => {
      console.error('The floor failed:', cause)
      answer(response, { status: 500, body: { detail: 'Failed' } })
    },
  )
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
